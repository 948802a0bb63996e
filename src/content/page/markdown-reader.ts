import markdownIt, { type MarkdownIt, type StateBlock, type StateInline } from 'markdown-it';
import { readTag, type ReadTag } from './read-tag.js';

/** A tag, as represented in the parser's tokens. */
export interface TagToken extends ReadTag {
  /**
   * The tag's first line, and its offset in that line. Both are needed because the parser's line endings may differ from
   * those in the source.
   */
  line: number;
  column: number;
  lines: number;
}

export class TooComplex extends Error {}

/** The maximum nesting depth of quotes and lists. The parser counts two levels for each of them. */
const deepest = 60;
const mostTags = 1000;

/**
 * Parses Markdown. Raw HTML is not supported, and tags are parsed as blocks. `check` is called for every block, table row and
 * piece of text.
 */
export function createMarkdownReader(check: () => void): MarkdownIt {
  const reader = markdownIt({ html: false, linkify: false, maxNesting: deepest * 2 });
  reader.validateLink = (url) => isSafeAddress(url);
  reader.block.ruler.before('table', 'limits', (state) => {
    check();
    if (state.level > deepest)
      throw new TooComplex(`Its quotes and lists are nested more than ${deepest / 2} levels deep.`);
    return false;
  });
  let tags = 0;
  const takeNextTag: typeof takeTag = (state, line, endLine, silent) => {
    check();
    if (!takeTag(state, line, endLine, silent)) return false;
    tags += Number(!silent);
    if (tags > mostTags) throw new TooComplex(`It has more than ${mostTags.toLocaleString('en')} tags.`);
    return true;
  };
  reader.block.ruler.before('table', 'tag', takeNextTag, {
    alt: ['paragraph', 'reference', 'blockquote', 'list'],
  });
  reader.inline.ruler.before('text', 'limits', () => {
    check();
    return false;
  });
  reader.inline.ruler.before('autolink', 'html', takeHtml);
  return reader;
}

const scheme = /^([a-z][a-z0-9+.-]*):/i;
const safe = /^(?:https?|mailto|data:image\/(?:png|jpeg|gif|webp)[;,].*)$/i;

/**
 * Whether a URL is relative or uses http, https or mailto. Browsers ignore control characters and spaces in the scheme of a URL.
 */
export function isSafeAddress(url: string): boolean {
  const plain = url.replace(/[\p{Cc}\s]/gu, '');
  const [, found] = scheme.exec(plain) ?? [];
  return found === undefined || safe.test(found) || safe.test(plain.slice(0, 40));
}

/** Parses a tag that is alone on its line. */
function takeTag(state: StateBlock, line: number, endLine: number, silent: boolean): boolean {
  const start = (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0);
  if (!state.src.startsWith('{%', start) || (state.sCount[line] ?? 0) - state.blkIndent >= 4) return false;
  const tag = readTag(state.src, start);
  if (!tag) return false;
  let last = line;
  while (last < endLine && (state.eMarks[last] ?? 0) < tag.end) last += 1;
  if (last >= endLine || state.src.slice(tag.end, state.eMarks[last]).trim() !== '') return false;
  if (silent) return true;
  const token = state.push('tag', '', 0);
  const lineStart = state.src.lastIndexOf('\n', start - 1) + 1;
  token.meta = { ...tag, line, column: start - lineStart, lines: last - line + 1 } satisfies TagToken;
  token.map = [line, last + 1];
  state.line = last + 1;
  return true;
}

const element = /<(\/?)([a-z][a-z0-9]*)((?:\s[^<>]{0,2000})?)>/iy;
const attribute = /(?:^|\s)([a-z]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;
const known = new Set(
  'a abbr article aside b blockquote br button caption center cite code dd del details div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i iframe img ins kbd li main mark nav ol p picture pre q s section small source span strong sub summary sup table tbody td tfoot th thead tr u ul video'.split(
    ' ',
  ),
);
const longestComment = 4000;

/** Drops known HTML tags but keeps the text in them. Images, links and line breaks are converted to Markdown. */
function takeHtml(state: StateInline, silent: boolean): boolean {
  if (state.src[state.pos] !== '<') return false;
  if (state.src.startsWith('<!--', state.pos)) {
    const end = state.src.slice(state.pos, state.pos + longestComment).indexOf('-->');
    if (end < 0) return false;
    state.pos += end + 3;
    return true;
  }
  element.lastIndex = state.pos;
  const [found, closing, written = '', rest = ''] = element.exec(state.src) ?? [];
  const name = written.toLowerCase();
  if (found === undefined || !known.has(name)) return false;
  if (!silent) pushHtml(state, name, closing === '/', rest);
  state.pos += found.length;
  return true;
}

function pushHtml(state: StateInline, name: string, closing: boolean, rest: string): void {
  if (name === 'br') state.push('hardbreak', 'br', 0);
  if (name !== 'a' && name !== 'img') return;
  if (closing) {
    state.push('html_link_close', 'a', 0);
    return;
  }
  const values = new Map(
    [...rest.replace(/\/$/, '').matchAll(attribute)].map(([, key = '', ...value]) => [
      key.toLowerCase(),
      value.find((one) => one !== undefined) ?? '',
    ]),
  );
  const address = values.get(name === 'a' ? 'href' : 'src') ?? '';
  const token = state.push(name === 'a' ? 'html_link_open' : 'html_image', name, 0);
  token.meta = { url: isSafeAddress(address) ? address : '', alt: values.get('alt') ?? '' };
}
