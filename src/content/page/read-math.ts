import type { StateBlock, StateInline } from 'markdown-it';
import { parseTex, TexError } from './tex/parse-tex.js';
import type { PageInline } from '../../protocol/page/page-tree.js';

/** A formula, and where it contains an error. */
export type MathToken = {
  node: Extract<PageInline, { kind: 'math' }>;
  problem?: { message: string; at: number };
};

/** Longer formulas would take too long. */
const longest = 4000;

function readMath(text: string, isBlock: boolean): MathToken {
  const node = { kind: 'math' as const, text, isBlock };
  if (text.length > longest)
    return { node, problem: { message: `This formula is longer than ${longest} characters.`, at: 0 } };
  try {
    return { node: { ...node, math: parseTex(text, isBlock) } };
  } catch (error) {
    if (!(error instanceof TexError)) throw error;
    return { node, problem: { message: `This formula cannot be parsed: ${error.message}.`, at: error.at } };
  }
}

/** Parses a formula within a line, such as `$$a^2$$`. */
export function takeMath(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state;
  const end = src.startsWith('$$', pos) ? src.indexOf('$$', pos + 2) : -1;
  const text = src.slice(pos + 2, Math.max(end, 0));
  if (text.trim() === '') return false;
  if (!silent) state.push('math', '', 0).meta = readMath(text, false);
  state.pos = end + 2;
  return true;
}

/** Parses a formula on several lines, the first of which begins with `$$` and the last of which ends with it. */
export function takeMathBlock(state: StateBlock, line: number, endLine: number, silent: boolean): boolean {
  const lineAt = (at: number): string =>
    state.src.slice((state.bMarks[at] ?? 0) + (state.tShift[at] ?? 0), state.eMarks[at]).trimEnd();
  const first = lineAt(line);
  if (!first.startsWith('$$') || first.includes('$$', 2) || (state.sCount[line] ?? 0) - state.blkIndent >= 4)
    return false;
  let last = line + 1;
  while (last < endLine && (state.sCount[last] ?? 0) >= state.blkIndent && !lineAt(last).includes('$$'))
    last += 1;
  if (last >= endLine || lineAt(last).indexOf('$$') !== lineAt(last).length - 2) return false;
  if (silent) return true;
  const text = state
    .getLines(line, last + 1, state.blkIndent, false)
    .trim()
    .slice(2, -2);
  const open = state.push('paragraph_open', 'p', 1);
  open.map = [line, last + 1];
  const inline = state.push('inline', '', 0);
  inline.map = open.map;
  inline.content = '';
  inline.children = [Object.assign(new state.Token('math', '', 0), { meta: readMath(text, true) })];
  state.push('paragraph_close', 'p', -1);
  state.line = last + 1;
  return true;
}
