import markdownIt, { type MarkdownIt, type StateBlock } from 'markdown-it';
import { takeHtmlBlock } from './html-blocks.js';
import { takeNote, takeNoteReference } from './footnotes.js';
import { takeHtml } from './read-html.js';
import { takeMath, takeMathBlock } from './read-math.js';
import { readTag, type TagToken } from './read-tag.js';
import { isSafeAddress } from './safe-address.js';

export class TooComplex extends Error {}

/** The maximum nesting depth of quotes and lists. The parser counts two levels for each of them. */
const deepest = 60;
const mostTags = 1000;

/**
 * Parses Markdown. Raw HTML is not supported, and tags are parsed as blocks. `check` is called for every block, table row and
 * piece of text.
 */
export function createMarkdownReader(check: () => void): MarkdownIt {
  const reader = markdownIt({ html: false, linkify: true, maxNesting: deepest * 2 });
  reader.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
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
  const alt = ['paragraph', 'reference', 'blockquote', 'list'];
  reader.block.ruler.before('table', 'tag', takeNextTag, { alt });
  reader.block.ruler.before(
    'table',
    'html',
    (...place) => {
      check();
      return takeHtmlBlock(...place);
    },
    { alt },
  );
  reader.block.ruler.before('table', 'math', takeMathBlock, { alt });
  reader.inline.ruler.before('escape', 'math', (state, silent) => {
    if (state.src[state.pos] === '$') check();
    return takeMath(state, silent);
  });
  reader.block.ruler.before('reference', 'note', takeNote, { alt: ['paragraph', 'reference'] });
  reader.inline.ruler.before('link', 'note', takeNoteReference);
  reader.inline.ruler.before('text', 'limits', () => {
    check();
    return false;
  });
  reader.inline.ruler.before('autolink', 'html', takeHtml);
  return reader;
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
