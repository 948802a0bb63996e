import type { StateBlock } from 'markdown-it';
import type { TagToken } from './read-tag.js';
import { addressIn, readHtmlTag, widthIn, type HtmlTag } from './read-html.js';
import type { TableColumn } from '../../protocol/page/page-tree.js';

const opening = /^<\/?(?:details|summary|figure|table|div|h[1-6])[\s>]/i;
/** Longer elements are treated as text. This also limits how far the end of an element is searched for. */
const longest = 64 * 1024;

type Lines = [from: number, to: number];

interface Piece {
  end: number;
  push?(lines: Lines, column: number): void;
}

/** Converts HTML elements that Markdown has no syntax for, such as figures, cards and collapsed text. */
export function takeHtmlBlock(state: StateBlock, line: number, endLine: number, silent: boolean): boolean {
  const { src } = state;
  const endOf = (at: number): number => state.eMarks[at] ?? 0;
  const start = (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0);
  if (src[start] !== '<' || (state.sCount[line] ?? 0) - state.blkIndent >= 4) return false;
  if (!opening.test(src.slice(start, start + 12))) return false;
  const limit = Math.min(endOf(endLine - 1), start + longest);
  const pieces: { piece: Piece; at: number; lines: Lines }[] = [];
  let last = line;
  for (let at = start; at < endOf(last); at = pieces.at(-1)?.piece.end ?? limit) {
    const text = src.slice(at, endOf(last));
    const piece = !/\S/.test(text) ? { end: endOf(last) } : readPiece(state, at, limit);
    if (!piece && at === start) return false;
    const from = last;
    const taken = piece ?? { end: endOf(last), push: (lines: Lines) => pushParagraph(state, text, lines) };
    while (last < endLine - 1 && endOf(last) < taken.end) last += 1;
    pieces.push({ piece: taken, at, lines: [from, last + 1] });
  }
  if (silent) return true;
  for (const { piece, at, lines } of pieces) piece.push?.(lines, at - (state.bMarks[lines[0]] ?? 0));
  state.line = last + 1;
  return true;
}

function readPiece(state: StateBlock, at: number, limit: number): Piece | undefined {
  const tag = readHtmlTag(state.src, at);
  if (!tag) return undefined;
  const { name, isClosing, values } = tag;
  if (name === 'details')
    return {
      end: tag.end,
      push: (lines, column) =>
        pushTag(state, isClosing ? 'end<details' : '<details', lines, column, { open: values.has('open') }),
    };
  if (name === 'div' || (isClosing && opening.test(`</${name}>`))) return { end: tag.end };
  if (isClosing || !opening.test(`<${name}>`)) return undefined;
  const length = state.src.slice(tag.end, limit).toLowerCase().indexOf(`</${name}>`);
  if (length < 0) return undefined;
  const inside = state.src.slice(tag.end, tag.end + length);
  const end = tag.end + length + name.length + 3;
  if (name === 'table') return { end, push: (lines) => pushTable(state, tag, inside, lines) };
  if (name === 'figure' || name === 'summary')
    return {
      end,
      push(lines, column) {
        const [, caption] = /<figcaption[^<>]*>([^]*?)<\/figcaption>/i.exec(inside) ?? [];
        const image = readHtmlTag(inside, inside.search(/<img\s/i));
        const attributes = image && {
          url: addressIn(image, 'src'),
          alt: image.values.get('alt') ?? '',
          ...widthIn(image),
        };
        pushTag(state, `<${name}`, lines, column, name === 'figure' ? (attributes ?? {}) : {}, true);
        pushParagraph(state, name === 'figure' ? (caption ?? '') : inside, lines);
        pushTag(state, `end<${name}`, lines, column, {}, true);
      },
    };
  return { end, push: (lines) => pushWrapped(state, ['heading', name], inside, lines) };
}

const pushParagraph = (state: StateBlock, text: string, lines: Lines): void =>
  pushWrapped(state, ['paragraph', 'p'], text, lines);

/** Pushes a container of text. */
export function pushWrapped(
  state: StateBlock,
  [type, tag]: readonly [type: string, tag: string],
  text: string,
  lines: Lines,
  style?: string,
): void {
  const open = state.push(`${type}_open`, tag, 1);
  open.map = lines;
  if (style !== undefined) open.attrSet('style', style);
  const inline = state.push('inline', '', 0);
  inline.content = text.trim();
  inline.map = lines;
  inline.children = [];
  state.push(`${type}_close`, tag, -1);
}

/** Pushes a tag, as if it had been written as `{% name %}`. A `whole` one stands for all of its lines. */
export function pushTag(
  state: StateBlock,
  name: string,
  [line, to]: Lines,
  column: number,
  values: Readonly<Record<string, unknown>>,
  whole = false,
): TagToken {
  const attributes = Object.entries(values).map(([key, value]) => ({
    key,
    value,
    from: 0,
    start: 0,
    end: 0,
  }));
  const token = state.push('tag', '', 0);
  token.map = [line, to];
  const html = whole ? 'whole' : 'tag';
  const meta = {
    name,
    attributes,
    nameEnd: 0,
    end: 0,
    line,
    column,
    lines: to - line,
    html,
  } satisfies TagToken;
  token.meta = meta;
  return meta;
}

const cell = /<(\/?)(tr|th|td)(\s[^<>]{0,2000})?>/gi;

function pushTable(state: StateBlock, { values }: HtmlTag, inside: string, lines: Lines): void {
  const open = state.push('table_open', 'table', 1);
  open.map = lines;
  const columns: TableColumn[] = [];
  let rows = 0;
  let current: { tag: HtmlTag; from: number } | undefined;
  const finish = (end: number): void => {
    if (!current) return;
    const { tag, from } = current;
    if (rows === 1) columns.push(columnOf(tag));
    pushWrapped(state, ['td', 'td'], inside.slice(from, end), lines);
    current = undefined;
  };
  for (const { 0: found, index } of inside.matchAll(cell)) {
    const tag = readHtmlTag(found, 0);
    if (!tag) continue;
    finish(index);
    if (tag.isClosing) continue;
    if (tag.name === 'tr') {
      rows += 1;
      state.push('tr_open', 'tr', 1);
      state.push('tr_close', 'tr', -1);
    } else current = { tag, from: index + found.length };
  }
  finish(inside.length);
  open.meta = { columns, ...(values.get('data-view') === 'cards' && { view: 'cards' }) };
  state.push('table_close', 'table', -1);
}

function columnOf({ values }: HtmlTag): TableColumn {
  const align = values.get('align') ?? '';
  if (values.has('data-card-target')) return { role: 'target' };
  if (values.has('data-card-cover')) return { role: 'cover' };
  if (values.has('data-hidden')) return { role: 'hidden' };
  return align === 'center' || align === 'right' ? { align } : {};
}
