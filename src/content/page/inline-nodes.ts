import type { Token } from 'markdown-it';
import { TooComplex } from './markdown-reader.js';
import type { MathToken } from './read-math.js';
import type { PageInline } from '../../protocol/page/page-tree.js';

const marks = { strong_open: 'strong', em_open: 'emphasis', s_open: 'deleted' } as const;

/** More deeply nested formatting would overflow the stack in recursive functions. */
const deepest = 60;

export function readInlines(tokens: readonly Token[]): PageInline[] {
  const root: PageInline[] = [];
  /** `html` is the name of the HTML element that a node was created from. */
  const open: { nodes: PageInline[]; html?: string }[] = [{ nodes: root }];
  const here = (): PageInline[] => open.at(-1)?.nodes ?? root;
  const descend = (node: PageInline & { children: PageInline[] }, html?: string): void => {
    if (open.length > deepest)
      throw new TooComplex(`Its formatting is nested more than ${deepest} levels deep.`);
    here().push(node);
    open.push({ nodes: node.children, ...(html !== undefined && { html }) });
  };
  for (const token of tokens) {
    const { type, tag } = token;
    if (type in marks) descend({ kind: marks[type as keyof typeof marks], children: [] });
    else if (type === 'link_open') {
      const url = String(token.attrGet('href') ?? '');
      descend({ kind: 'link', url: /^data:/i.test(url) ? '' : url, children: [] });
    } else if (type === 'html_open') {
      // A link cannot contain another link, so the start of a link ends a link that is still open.
      if (tag === 'a' && open.at(-1)?.html === 'a') open.pop();
      const node = token.meta as unknown as PageInline & { children: PageInline[] };
      const url = node.kind === 'link' && /^data:/i.test(node.url) ? { url: '' } : {};
      descend({ ...node, ...url, children: [] }, tag);
    } else if (type === 'html_close') {
      // An HTML closing tag closes only elements that HTML opened, so that a stray tag cannot end Markdown formatting.
      const at = open.findLastIndex(({ html }) => html === tag);
      if (at > 0 && open.slice(at).every(({ html }) => html !== undefined)) open.length = at;
    } else if (token.nesting < 0) {
      while (open.length > 1 && open.at(-1)?.html !== undefined) open.pop();
      if (open.length > 1) open.pop();
    } else pushLeaf(here(), token);
  }
  return dropEmptyLinks(root);
}

function pushLeaf(nodes: PageInline[], token: Token): void {
  const { type, content } = token;
  if (type === 'code_inline') nodes.push({ kind: 'code', text: content });
  else if (type === 'icon') nodes.push({ kind: 'icon', name: content });
  else if (type === 'note') nodes.push({ kind: 'note', ...(token.meta as { number: number }) });
  else if (type === 'math') nodes.push((token.meta as unknown as MathToken).node);
  else if (type === 'image')
    nodes.push({ kind: 'image', url: String(token.attrGet('src') ?? ''), alt: content });
  else if (type === 'html_image') {
    const image = token.meta as { url: string; alt: string };
    if (image.url) nodes.push({ kind: 'image', ...image });
  } else if (type === 'hardbreak') nodes.push({ kind: 'break' });
  else if (type === 'softbreak') pushText(nodes, '\n');
  else if (content) pushText(nodes, content);
}

function pushText(nodes: PageInline[], text: string): void {
  const last = nodes.at(-1);
  if (last?.kind === 'text') last.text += text;
  else nodes.push({ kind: 'text', text });
}

/** An anchor without text, such as `<a id="here"></a>`, is not shown. A link with an unsafe URL is shown as text. */
const dropEmptyLinks = (nodes: PageInline[]): PageInline[] =>
  nodes.flatMap((node) => {
    if (!('children' in node)) return [node];
    const children = dropEmptyLinks(node.children);
    if (node.kind !== 'link') return [{ ...node, children }];
    return node.url === '' ? children : children.length > 0 ? [{ ...node, children }] : [];
  });
