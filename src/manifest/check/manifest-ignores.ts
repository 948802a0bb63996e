import { Lexer } from 'yaml';
import { ignoreText, type IgnoreComment } from '../../diagnostics/apply-ignores.js';
import { isSign } from '../yaml/syntax-problem.js';
import { createLineIndex, type LineIndex } from '../yaml/line-starts.js';

const commentOf = (text: string): RegExpExecArray | null =>
  text.startsWith('#') ? ignoreText.exec(text.slice(1)) : null;

export function findIgnoreComments(text: string, lines: LineIndex): IgnoreComment[] {
  if (!text.includes('platform-ignore')) return [];
  const found: IgnoreComment[] = [];
  let offset = 0;
  for (const lexeme of new Lexer().lex(text)) {
    const match = commentOf(lexeme);
    const start = offset;
    if (!isSign(lexeme)) offset += lexeme.length;
    if (!match || !text.startsWith(lexeme, start)) continue;
    const [, code = '', reason = ''] = match;
    found.push({
      code,
      reason,
      line: targetLine(text, start, lines),
      range: lines.range(start, start + lexeme.length),
    });
  }
  return found;
}

/**
 * A comment after a value applies to the line of the value. A comment on its own line applies to the next line that is not an
 * ignore comment.
 */
function targetLine(text: string, start: number, lines: LineIndex): number {
  let { line } = lines.position(start);
  const before = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  if (before.trim() !== '') return line;
  const following = text.slice(start).split('\n', 50);
  for (const next of following) {
    if (!commentOf(next.trim())) break;
    line += 1;
  }
  return line;
}

/** Finds ignore comments in text whose lines have not been indexed yet. */
export const findManifestIgnores = (text: string): IgnoreComment[] =>
  findIgnoreComments(text, createLineIndex(text));
