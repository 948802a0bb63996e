import type { StateBlock, StateInline } from 'markdown-it';
import { pushTag, pushWrapped } from './html-blocks.js';
import type { TagAttribute } from './read-tag.js';

const definition = /^\[\^([^\]\s]{1,60})\]:[ \t]*/;
const reference = /\[\^([^\]\s]{1,60})\]/y;

/** The numbers of the footnotes, which are set when the text refers to them. */
interface Notes {
  numbers?: Map<string, TagAttribute>;
  count?: number;
}

/** Parses a footnote such as `[^1]: text`. It ends at a blank line. */
export function takeNote(state: StateBlock, line: number, endLine: number, silent: boolean): boolean {
  const startOf = (at: number): number => (state.bMarks[at] ?? 0) + (state.tShift[at] ?? 0);
  const start = startOf(line);
  const matchAt = (at: number): RegExpExecArray | null => definition.exec(state.src.slice(at, at + 70));
  const [found, id = ''] = matchAt(start) ?? [];
  if (found === undefined || (state.sCount[line] ?? 0) - state.blkIndent >= 4) return false;
  if (silent) return true;
  let last = line + 1;
  while (last < endLine && !state.isEmpty(last) && !matchAt(startOf(last))) last += 1;
  const column = start - (state.src.lastIndexOf('\n', start - 1) + 1);
  const { attributes } = pushTag(state, '<note', [line, last], column, { number: 0 }, true);
  const text = state.getLines(line, last, state.blkIndent, false);
  pushWrapped(state, ['paragraph', 'p'], text.trimStart().slice(found.length), [line, last]);
  pushTag(state, 'end<note', [line, last], column, {}, true);
  const notes = state.env as Notes;
  notes.numbers ??= new Map();
  const [number] = attributes;
  if (number && !notes.numbers.has(id)) notes.numbers.set(id, number);
  state.line = last;
  return true;
}

export function takeNoteReference(state: StateInline, silent: boolean): boolean {
  reference.lastIndex = state.pos;
  const [found, id = ''] = reference.exec(state.src) ?? [];
  const notes = state.env as Notes;
  const number = notes.numbers?.get(id);
  if (found === undefined || !number) return false;
  if (!silent) {
    notes.count ??= 0;
    if (number.value === 0) number.value = notes.count += 1;
    state.push('note', '', 0).meta = { number: number.value };
  }
  state.pos += found.length;
  return true;
}
