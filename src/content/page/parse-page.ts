import type { Token } from 'markdown-it';
import { readFrontMatter } from './front-matter.js';
import { plainText } from '../../protocol/page/page-text.js';
import { readInlines } from './inline-nodes.js';
import { findLineStarts, positionIn } from './line-starts.js';
import { createMarkdownReader, isSafeAddress, TooComplex, type TagToken } from './markdown-reader.js';
import type { Heading, PageBlock, PageTree, TagNode } from '../../protocol/page/page-tree.js';

const parseLimits = { ms: 500, references: 1000 };

/** Parses a page's Markdown into a tree. A page that exceeds the limits becomes plain text, and a problem explains why. */
export function parsePage(text: string, monotonic: () => number = () => performance.now()): PageTree {
  const { end } = readFrontMatter(text);
  const skipped = count(/\r\n|\r|\n/g, text.slice(0, end));
  const body = '\n'.repeat(skipped) + text.slice(end);
  const until = monotonic() + parseLimits.ms;
  const reader = createMarkdownReader(() => {
    if (monotonic() > until) throw new TooComplex(`Parsing it takes longer than ${parseLimits.ms} ms.`);
  });
  try {
    checkCounts(body);
    return { start: end, ...new TreeBuilder(text).build(reader.parse(body, {})) };
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
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    // The byte order mark is not passed to the parser.
    this.#lineStarts = findLineStarts(text);
  }

  build(tokens: readonly Token[]): Omit<PageTree, 'start'> {
    this.#tokens = tokens;
    const blocks: PageBlock[] = [];
    const ends: number[] = [];
    for (let token = tokens[0]; token; token = tokens[this.#at]) {
      this.#at += 1;
      this.#readBlock(token, blocks);
      // A closing tag does not add a block, but it ends the previous block. Trailing blank lines are not counted, because a
      // list may include the blank lines after it.
      const end = token.map && this.#text.slice(0, this.#endOf(token.map[1] - 1)).trimEnd().length;
      if (end !== null && blocks.length > 0) ends.splice(blocks.length - 1, Infinity, end);
    }
    return { blocks, ends, headings: this.#headings, tags: this.#tags, problems: this.#problems };
  }

  /** Reads blocks up to the token that closes their container. */
  #readUntil(closing?: string): PageBlock[] {
    const blocks: PageBlock[] = [];
    while (this.#at < this.#tokens.length) {
      const token = this.#tokens[this.#at];
      this.#at += 1;
      if (!token || token.type === closing) break;
      this.#readBlock(token, blocks);
    }
    return blocks;
  }

  #readBlock(token: Token, blocks: PageBlock[]): void {
    switch (token.type) {
      case 'heading_open': {
        const children = this.#readInline();
        const level = Number(token.tag.slice(1));
        const text = plainText(children).trim();
        const id = this.#idOf(text);
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
        const place = { line: from + 1, start: this.#startOf(from), end: this.#endOf(to - 1) };
        blocks.push({ kind: 'code', language, text: token.content.replace(/\n$/, ''), ...place });
        break;
      }
      case 'code_block':
        blocks.push({ kind: 'code', language: '', text: token.content.replace(/\n$/, '') });
        break;
      case 'hr':
        blocks.push({ kind: 'rule' });
        break;
      case 'blockquote_open':
        blocks.push({ kind: 'quote', children: this.#readUntil('blockquote_close') });
        break;
      case 'bullet_list_open':
      case 'ordered_list_open': {
        const start = Number(token.attrGet('start') ?? 1);
        const items = this.#readItems(token.type.replace('open', 'close'));
        blocks.push({ kind: 'list', ordered: token.type === 'ordered_list_open', start, items });
        break;
      }
      case 'table_open':
        blocks.push(this.#readTable());
        break;
      case 'tag':
        this.#readTag(token.meta as unknown as TagToken, blocks);
        break;
    }
  }

  #readInline(): ReturnType<typeof readInlines> {
    const token = this.#tokens[this.#at];
    this.#at += 2;
    return readInlines(token?.children ?? []);
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

  #readTable(): PageBlock {
    const rows: ReturnType<typeof readInlines>[][] = [];
    for (; this.#at < this.#tokens.length; this.#at += 1) {
      const token = this.#tokens[this.#at];
      if (token?.type === 'table_close') break;
      if (token?.type === 'tr_open') rows.push([]);
      if (token?.type === 'inline') rows.at(-1)?.push(readInlines(token.children ?? []));
    }
    this.#at += 1;
    const [head = [], ...body] = rows;
    return { kind: 'table', head, rows: body };
  }

  #readTag(token: TagToken, blocks: PageBlock[]): void {
    const { name, line } = token;
    // The closing tag of a pair. The content between the two tags is rendered as part of the page's text.
    if (name === 'endembed') {
      this.#captionEmbed(blocks);
      return;
    }
    if (/^end[a-z-]+$/.test(name)) return;
    const start = this.#startOf(line) + token.column;
    const place = { kind: 'tag' as const, line: line + 1, start, end: this.#text.indexOf('%}', start) + 2 };
    const node: TagNode = { ...place, ...typeOf(token) };
    if (node.type === 'other' && node.problem !== undefined) {
      const at = token.problem ? place.end - (token.end - token.problem.at) : start;
      const position = positionIn(this.#lineStarts, at);
      this.#problems.push({ code: 'invalid-tag', message: node.problem, ...position });
    }
    this.#tags.push(node);
    blocks.push(node);
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

  #idOf(text: string): string {
    const words = text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? ['section'];
    const slug = `h-${words.join('-').slice(0, 80)}`;
    let number = this.#ids.get(slug) ?? 0;
    let id = slug;
    for (; this.#ids.has(id); id = `${slug}-${number}`) number += 1;
    this.#ids.set(slug, Math.max(number, 1)).set(id, 1);
    return id;
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

type TagType = TagNode extends infer Node
  ? Node extends TagNode
    ? Omit<Node, 'kind' | 'line' | 'start' | 'end'>
    : never
  : never;

function typeOf({ name, attributes, problem }: TagToken): TagType {
  const values = Object.fromEntries(
    attributes.filter(({ key }) => key !== '__proto__').map(({ key, value }) => [key, value]),
  );
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
