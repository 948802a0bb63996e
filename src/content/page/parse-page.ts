import type { Token } from 'markdown-it';
import { readFrontMatter } from './front-matter.js';
import { linesOf, plainText } from '../../protocol/page/page-text.js';
import { readInlines } from './inline-nodes.js';
import { findLineStarts, positionIn } from './line-starts.js';
import { containers, matchTags } from './match-tags.js';
import { createMarkdownReader, TooComplex } from './markdown-reader.js';
import type { MathToken } from './read-math.js';
import type { TagToken } from './read-tag.js';
import { isSafeAddress } from './safe-address.js';
import type {
  FenceNode,
  Heading,
  PageBlock,
  PageInline,
  PageProblem,
  PageTree,
  TableColumn,
  TagNode,
} from '../../protocol/page/page-tree.js';

/** How deeply tags can be nested. */
const mostOpen = 20;

/** The styles of hints for GitHub's alerts. */
const alerts = new Map([
  ['NOTE', 'info'],
  ['TIP', 'success'],
  ['IMPORTANT', 'info'],
  ['WARNING', 'warning'],
  ['CAUTION', 'danger'],
]);

const parseLimits = { ms: 500, references: 1000 };

/** Parses a page's Markdown into a tree. A page that exceeds the limits becomes plain text, and a problem explains why. */
export function parsePage(text: string, monotonic: () => number = () => performance.now()): PageTree {
  const { end, values } = readFrontMatter(text);
  const { cover, icon } = values;
  const skipped = count(/\r\n|\r|\n/g, text.slice(0, end));
  const body = '\n'.repeat(skipped) + text.slice(end);
  const until = monotonic() + parseLimits.ms;
  const reader = createMarkdownReader(() => {
    if (monotonic() > until) throw new TooComplex(`Parsing it takes longer than ${parseLimits.ms} ms.`);
  });
  try {
    checkCounts(body);
    return {
      ...(typeof cover === 'string' && cover !== '' && isSafeAddress(cover) && { cover: { url: cover } }),
      ...(typeof icon === 'string' && { icon }),
      start: end,
      ...new TreeBuilder(text).build(reader.parse(body, {})),
    };
  } catch (error) {
    if (!(error instanceof TooComplex)) throw error;
    const message = `The page is shown as plain text. ${error.message}`;
    return {
      blocks: [{ kind: 'code', language: '', text: text.slice(end) }],
      start: end,
      ends: [text.length],
      headings: [],
      tags: [],
      problems: [{ code: 'too-complex', message, line: 1, column: 1 }],
    };
  }
}

function checkCounts(body: string): void {
  if (count(/(?<![^\r\n]) {0,3}\[[^\]\r\n]*\]:/g, body) > parseLimits.references)
    throw new TooComplex(`It has more than ${parseLimits.references.toLocaleString('en')} link references.`);
}

const count = (pattern: RegExp, text: string): number => text.match(pattern)?.length ?? 0;

class TreeBuilder {
  readonly #text: string;
  readonly #lineStarts: number[];
  readonly #headings: Heading[] = [];
  readonly #tags: TagNode[] = [];
  readonly #problems: PageTree['problems'] = [];
  /** The ids of the headings so far, with the number of headings that share each text. */
  readonly #ids = new Map<string, number>();
  #tokens: readonly Token[] = [];
  #pairs: ReadonlyMap<number, number> = new Map();
  /** The containers around the current token. */
  readonly #open: string[] = [];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    // The byte order mark is not passed to the parser.
    this.#lineStarts = findLineStarts(text);
  }

  build(tokens: readonly Token[]): Omit<PageTree, 'start'> {
    this.#tokens = tokens;
    this.#pairs = matchTags(tokens);
    const blocks: PageBlock[] = [];
    const ends: number[] = [];
    let [last, end] = [0, 0];
    for (let token = tokens[0]; token; token = tokens[this.#at]) {
      this.#at += 1;
      this.#readBlock(token, blocks);
      // A closing tag does not add a block, but it ends the previous block. Trailing blank lines are not counted, because a
      // list may include the blank lines after it.
      const line = Math.max(token.map?.[1] ?? 0, this.#tokens[this.#at - 1]?.map?.[1] ?? 0);
      // Many elements can end in the same line.
      if (line > 0 && line !== last) end = this.#text.slice(0, this.#endOf(line - 1)).trimEnd().length;
      last = line;
      if (line > 0 && blocks.length > 0) ends.splice(blocks.length - 1, Infinity, end);
    }
    return { blocks, ends, headings: this.#headings, tags: this.#tags, problems: this.#problems };
  }

  /** Reads blocks up to the token that closes their container, which is given by its type or position. */
  #readUntil(closing: string | number): PageBlock[] {
    const blocks: PageBlock[] = [];
    while (this.#at < this.#tokens.length) {
      const token = this.#tokens[this.#at];
      this.#at += 1;
      if (!token || token.type === closing || this.#at - 1 === closing) break;
      this.#readBlock(token, blocks);
    }
    return blocks;
  }

  #readBlock(token: Token, blocks: PageBlock[]): void {
    switch (token.type) {
      case 'heading_open': {
        const { content = '' } = this.#tokens[this.#at] ?? {};
        const [, inTag] = anchorTag.exec(content) ?? [];
        const [ending = '', inBraces] = bracedAnchor.exec(content) ?? [];
        const children = this.#readInline();
        dropEnding(children, ending);
        const level = Number(token.tag.slice(1));
        const text = plainText(children).trim();
        const id = this.#idOf(inTag ?? inBraces ?? text);
        this.#headings.push({ level, id, text });
        blocks.push({ kind: 'heading', level, id, children });
        break;
      }
      case 'paragraph_open': {
        const children = this.#readInline();
        if (children.some((child) => child.kind !== 'text' || child.text.trim() !== ''))
          blocks.push({ kind: 'paragraph', children });
        break;
      }
      case 'fence': {
        const [from = 0, to = 0] = token.map ?? [];
        const [language = ''] = token.info.trim().split(/\s+/);
        const [, title] = /\stitle="([^"]{1,200})"/.exec(token.info) ?? [];
        const place = { line: from + 1, start: this.#startOf(from), end: this.#endOf(to - 1) };
        const lineNumbers = /\slineNumbers(?:\s|$|="?true)/i.test(token.info);
        const text = token.content.replace(/\n$/, '');
        blocks.push({ kind: 'code', language, text, ...place, ...codeOptions({ title, lineNumbers }) });
        break;
      }
      case 'code_block':
        blocks.push({ kind: 'code', language: '', text: token.content.replace(/\n$/, '') });
        break;
      case 'hr':
        blocks.push({ kind: 'rule' });
        break;
      case 'blockquote_open':
        blocks.push(this.#readQuote(token));
        break;
      case 'bullet_list_open':
      case 'ordered_list_open': {
        const start = Number(token.attrGet('start') ?? 1);
        const items = this.#readItems(token.type.replace('open', 'close'));
        blocks.push({ kind: 'list', ordered: token.type === 'ordered_list_open', start, items });
        break;
      }
      case 'table_open':
        blocks.push(this.#readTable(token));
        break;
      case 'tag':
        this.#readTag(token.meta as unknown as TagToken, blocks);
        break;
    }
  }

  #readInline(): ReturnType<typeof readInlines> {
    this.#at += 2;
    return this.#inlinesOf(this.#tokens[this.#at - 2]);
  }

  #inlinesOf(token: Token | undefined): ReturnType<typeof readInlines> {
    const { children, map } = token ?? {};
    for (const { type, meta } of children ?? []) {
      if (type !== 'math') continue;
      const { node, problem } = meta as unknown as MathToken;
      const from = this.#startOf(map?.[0] ?? 0);
      if (problem) {
        const at = Math.max(this.#text.indexOf(`$$${node.text}`, from), from) + 2 + problem.at;
        this.#report('invalid-math', problem.message, at);
      }
    }
    return readInlines(children ?? []);
  }

  #readItems(closing: string): PageBlock[][] {
    const items: PageBlock[][] = [];
    while (this.#at < this.#tokens.length && this.#tokens[this.#at]?.type !== closing) {
      this.#at += 1;
      items.push(asTask(this.#readUntil('list_item_close')));
    }
    this.#at += 1;
    return items;
  }

  #readTable({ meta }: Token): PageBlock {
    const rows: ReturnType<typeof readInlines>[][] = [];
    const aligned: TableColumn[] = [];
    for (; this.#at < this.#tokens.length; this.#at += 1) {
      const token = this.#tokens[this.#at];
      if (token?.type === 'table_close') break;
      if (token?.type === 'tr_open') rows.push([]);
      if (token?.type === 'th_open') aligned.push(alignmentOf(token));
      if (token?.type === 'inline') rows.at(-1)?.push(this.#inlinesOf(token));
    }
    this.#at += 1;
    const [head = [], ...body] = rows;
    const { columns = aligned, ...view } = (meta ?? {}) as { columns?: TableColumn[]; view?: 'cards' };
    const isPlain = columns.every(({ align, role }) => align === undefined && role === undefined);
    return { kind: 'table', head, rows: body, ...(!isPlain && { columns }), ...view };
  }

  #readTag(token: TagToken, blocks: PageBlock[]): void {
    const { name, line } = token;
    // The closing tag of a pair. The content between the two tags is rendered as part of the page's text.
    if (name === 'endembed') {
      this.#captionEmbed(blocks);
      return;
    }
    const [, ended] = /^end([<a-z-]+)$/.exec(name) ?? [];
    if (ended !== undefined && !Object.hasOwn(containers, ended)) return;
    const start = this.#startOf(line) + token.column;
    const place = { line: line + 1, start, end: this.#endOfTag(token, start) };
    const container = Object.hasOwn(containers, name) ? containers[name] : undefined;
    if (container) return this.#readContainer(token, place, container, blocks);
    const node: TagNode = { kind: 'tag', ...place, ...typeOf(token) };
    if (ended !== undefined) {
      const message = `There is no ${shown(ended)} before this tag.`;
      return this.#report('unclosed-tag', message, start, `Remove it, or add ${shown(ended)} before it.`);
    }
    if (node.type === 'other' && node.problem !== undefined) {
      const at = token.problem ? place.end - (token.end - token.problem.at) : start;
      this.#report('invalid-tag', node.problem, at);
    }
    this.#tags.push(node);
    blocks.push(node);
  }

  /** Reads one of the product's own blocks. If it is not closed or misplaced, its content becomes part of the page's text. */
  #readContainer(
    token: TagToken,
    place: Pick<TagNode, 'line' | 'start' | 'end'>,
    { within, isSingle }: { within?: string; isSingle?: boolean },
    blocks: PageBlock[],
  ): void {
    const { name } = token;
    const attributes = valuesOf(token);
    if (token.problem)
      this.#report('invalid-tag', token.problem.message, place.end - (token.end - token.problem.at));
    const closing = this.#pairs.get(this.#at - 1);
    const isWhole = token.html === 'whole';
    const isMisplaced = within !== undefined && !this.#open.includes(within);
    if (closing === undefined && !isSingle) {
      const ending = shown(`end${name}`);
      const help = `Add ${ending} on its own line after the content.`;
      return this.#report('unclosed-tag', `This ${shown(name)} has no ${ending}.`, place.start, help);
    }
    if (isMisplaced) {
      const help = `Put ${shown(within)} before it and ${shown(`end${within}`)} after it.`;
      this.#report('misplaced-tag', `This ${shown(name)} is not inside ${shown(within)}.`, place.start, help);
    }
    let close = place.end;
    let { end } = place;
    let children: PageBlock[] = [];
    if (closing !== undefined) {
      this.#open.push(name);
      if (this.#open.length > mostOpen)
        throw new TooComplex(`Its tags are nested more than ${mostOpen} levels deep.`);
      children = this.#readUntil(closing);
      this.#open.pop();
      const ending = this.#tokens[closing]?.meta as unknown as TagToken;
      close = isWhole ? end : this.#startOf(ending.line) + ending.column;
      end = this.#endOfTag(ending, close);
    }
    if (isMisplaced) return void blocks.push(...children);
    const url = attributes['url'] ?? attributes['src'] ?? attributes['page'];
    const address = typeof url === 'string' && isSafeAddress(url) ? url : undefined;
    for (const child of children)
      if (name === 'code' && child.kind === 'code') Object.assign(child, codeOptions(attributes));
    blocks.push({
      kind: 'container',
      name: name.replace('<', ''),
      attributes: {
        ...attributes,
        ...(url !== undefined && { url: address }),
        ...(name === '<details' && { anchor: this.#anchorOf(children[0]) }),
      },
      ...place,
      open: isWhole ? place.start : place.end,
      close,
      end,
      children,
    });
  }

  /** Reads a quote. `> [!NOTE]` becomes a hint. */
  #readQuote(token: Token): PageBlock {
    const children = this.#readUntil('blockquote_close');
    const [first, ...rest] = children;
    const [text, ...others] = first?.kind === 'paragraph' ? first.children : [];
    const [marker, alert = ''] =
      text?.kind === 'text' ? (/^\[!([A-Z]{1,20})\][ \t]*(?:\n|$)/.exec(text.text) ?? []) : [];
    const style = alerts.get(alert);
    if (text?.kind !== 'text' || marker === undefined || style === undefined)
      return { kind: 'quote', children };
    const [from = 0, to = 0] = token.map ?? [];
    const [start, end] = [this.#startOf(from), this.#endOf(to - 1)];
    const left = { ...text, text: text.text.slice(marker.length) };
    const paragraph = { kind: 'paragraph' as const, children: left.text === '' ? others : [left, ...others] };
    return {
      kind: 'container',
      name: 'hint',
      attributes: { style },
      line: from + 1,
      start,
      end,
      open: start,
      close: end,
      children: paragraph.children.length > 0 ? [paragraph, ...rest] : rest,
    };
  }

  #report(code: PageProblem['code'], message: string, at: number, help?: string): void {
    const place = positionIn(this.#lineStarts, at);
    this.#problems.push({ code, message, ...(help !== undefined && { help }), ...place });
  }

  #captionEmbed(blocks: PageBlock[]): void {
    const at = blocks.findLastIndex((block) => block.kind === 'tag');
    const embed = blocks[at];
    if (embed?.kind !== 'tag' || embed.type !== 'embed') return;
    const inside = blocks.splice(at + 1);
    embed.caption = inside
      .map((block) => (block.kind === 'paragraph' ? plainText(block.children) : ''))
      .join(' ')
      .trim();
  }

  /** Returns the id of a `<details>`, because links can point to its summary. */
  #anchorOf(first: PageBlock | undefined): string | undefined {
    const text =
      first?.kind === 'container' && first.name === 'summary' ? linesOf(first.children).join(' ') : '';
    return text.trim() === '' ? undefined : this.#idOf(text);
  }

  #idOf(text: string): string {
    const slug = headingId(text);
    let number = this.#ids.get(slug) ?? 0;
    let id = slug;
    for (; this.#ids.has(id); id = `${slug}-${number}`) number += 1;
    this.#ids.set(slug, Math.max(number, 1)).set(id, 1);
    return id;
  }

  #endOfTag({ html, line, lines }: TagToken, start: number): number {
    if (html === 'whole') return this.#endOf(line + lines - 1);
    const mark = html ? '>' : '%}';
    return this.#text.indexOf(mark, start) + mark.length;
  }

  #startOf(line: number): number {
    return this.#lineStarts[line] ?? this.#text.length;
  }

  /** Returns the offset after the last character of a line. */
  #endOf(line: number): number {
    const next = this.#startOf(line + 1);
    return next - (/\r\n$|[\r\n]$/.exec(this.#text.slice(Math.max(0, next - 2), next))?.[0].length ?? 0);
  }
}

/**
 * Returns the id of a heading with this text, or of the heading that a link's `#anchor` refers to. Documentation platforms
 * write `id-` before a digit.
 */
export const headingId = (text: string): string =>
  `h-${(
    text
      .toLowerCase()
      .replace(/^id-(?=\d)/, '')
      .match(/[\p{L}\p{N}_]+/gu) ?? ['section']
  )
    .join('-')
    .slice(0, 80)}`;

/** Returns the id of a heading as GitHub forms it, without the signs between words. */
export const headingIdOnGitHub = (text: string): string =>
  headingId(text.replaceAll(/[^\p{L}\p{N}\s_-]/gu, ''));

type TagType = TagNode extends infer Node
  ? Node extends TagNode
    ? Omit<Node, 'kind' | 'line' | 'start' | 'end'>
    : never
  : never;

/** The anchor that a heading names itself: `<a id="here">` or `{#here}` at its end. */
const anchorTag = /<a\s[^<>]{0,200}\bid="([^"<>]{1,200})"/;
const bracedAnchor = /\{#([\w-]{1,80})\}$/;

function dropEnding(inlines: PageInline[], ending: string): void {
  const last = inlines.at(-1);
  if (ending === '' || last?.kind !== 'text' || !last.text.endsWith(ending)) return;
  last.text = last.text.slice(0, -ending.length).trimEnd();
  if (last.text === '') inlines.pop();
}

function alignmentOf(token: Token): TableColumn {
  const [, align] = /text-align:(center|right)/.exec(String(token.attrGet('style') ?? '')) ?? [];
  return align === 'center' || align === 'right' ? { align } : {};
}

/** Returns a tag as it is written on the page. */
const shown = (name: string): string =>
  name.includes('<')
    ? `<${name.startsWith('end') ? '/' : ''}${name.replace(/^(?:end)?</, '')}>`
    : `{% ${name} %}`;

const valuesOf = ({ attributes }: TagToken): Record<string, unknown> =>
  Object.fromEntries(
    attributes.filter(({ key }) => key !== '__proto__').map(({ key, value }) => [key, value]),
  );

const codeOptions = ({ title, lineNumbers, overflow }: Record<string, unknown>): Partial<FenceNode> => ({
  ...(typeof title === 'string' && title !== '' && { title }),
  ...(String(lineNumbers) === 'true' && { lineNumbers: true }),
  ...(overflow === 'wrap' && { wrap: true }),
});

function typeOf(token: TagToken): TagType {
  const { name, problem } = token;
  const values = valuesOf(token);
  const other = { type: 'other' as const, name, attributes: values };
  if (problem) return { ...other, problem: problem.message };
  if (name === 'embed') {
    const { url } = values;
    if (typeof url === 'string' && /^https?:/i.test(url) && isSafeAddress(url))
      return { type: 'embed', url, caption: '' };
    return { ...other, problem: 'An embed needs a url that begins with http:// or https://.' };
  }
  const [, integration, component] = /^@([^/]+)\/(.+)$/.exec(name) ?? [];
  if (integration === undefined || component === undefined) return other;
  return { type: 'block', integration, component, props: values };
}

/** Converts a list item that starts with `[ ]` or `[x]` to a task. */
function asTask(item: PageBlock[]): PageBlock[] {
  const [first, ...rest] = item;
  if (first?.kind !== 'paragraph') return item;
  const [text, ...others] = first.children;
  const box = text?.kind === 'text' ? /^\[([ xX])\](?:\s+|$)/.exec(text.text) : null;
  if (text?.kind !== 'text' || !box) return item;
  const children = [{ ...text, text: text.text.slice(box[0].length) }, ...others];
  return [{ kind: 'task', done: box[1] !== ' ', children: [{ ...first, children }, ...rest] }];
}
