import type { Diagnostic } from '../diagnostics/diagnostic.js';
import { createIgnores, ignoreText, type IgnoreComment } from '../diagnostics/ignore-comments.js';
import { bundleProblems } from './bundle-problems.js';
import type { SourceFile } from './check-apis.js';

const comment = /(?:\/\/|\/\*)(\s*platform-ignore\b.*?)(?:\*\/.*)?$/;

/** A comment behind code speaks of its own line; one alone speaks of the next line that is no such comment. */
export function findIgnoreComments(text: string): IgnoreComment[] {
  if (!text.includes('platform-ignore')) return [];
  const lines = text.split(/\r?\n/);
  return lines.flatMap((content, index): IgnoreComment[] => {
    const found = comment.exec(content);
    const [, code = '', reason = ''] = (found && ignoreText.exec(found[1] ?? '')) ?? [];
    if (!found) return [];
    const before = content.slice(0, found.index).replace('{', '').trim();
    let line = index + 1;
    if (before === '') while (comment.test(lines[line - 1] ?? '')) line += 1;
    const at = (column: number) => ({ line: index + 1, column });
    return [{ code, reason, line, range: { start: at(found.index + 1), end: at(content.length + 1) } }];
  });
}

const codes = bundleProblems.map(({ code }) => code);
/** Code that cannot be built, and Node modules. */
const isLocked = (code: string): boolean =>
  code !== 'bundle/refused-api' &&
  bundleProblems.some((one) => one.code === code && one.severity === 'error');

/** Marks what comments in the sources silence, and adds comments that silence nothing or give no reason. */
export function applySourceIgnores(
  found: readonly Diagnostic[],
  sources: readonly SourceFile[],
): { found: Diagnostic[]; problems: Diagnostic[] } {
  const comments = new Map(sources.map(({ file, text }) => [file, findIgnoreComments(text)]));
  const ignores = createIgnores({ comments, codes, isLocked });
  return { found: ignores.apply(found), problems: ignores.problems() };
}
