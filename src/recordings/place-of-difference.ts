import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { errorLineOf, readThrownError, type ThrownError } from '../base/text/thrown-error.js';
import type { StackFrame } from '../base/text/stack-frame.js';
import type { ReplayedProject } from './open-replayed-project.js';
import type { ReplayResult } from './replay-calls.js';
import { firstDifferent, type ReplayDifference } from './compare-outcome.js';

/**
 * Returns the author's line that probably caused a difference: the error's line, the line that sent a
 * different request, or the only line that contains the new text in the response.
 */
export function placeOfDifference(
  { outcome }: ReplayResult,
  difference: ReplayDifference,
  { folder, sources }: Pick<ReplayedProject, 'folder' | 'sources'>,
): StackFrame | undefined {
  if (difference.kind === 'outbound') {
    const sent = firstDifferent(outcome.outbound);
    const place = sent && readThrownError(sent.stack).position;
    if (place) return place;
  }
  const status = Number(/^status (\d+)/.exec(difference.after)?.[1] ?? 0);
  if (difference.kind === 'rejected' || status >= 500 || status === 0) {
    const error = thrownError(outcome);
    // The text of an error without a position, such as a timeout, does not come from the author.
    if (error) return error.position;
  }
  return findLine(newTexts(difference), { folder, sources });
}

/** Returns the error that the script logged or that ended the call. */
export function thrownError({ logs, failure }: ReplayResult['outcome']): ThrownError | undefined {
  const text = errorLineOf(logs)?.text ?? failure;
  return text === undefined ? undefined : readThrownError(text);
}

/** Returns strings from the new lines that the old ones do not contain, longest first. */
function newTexts({ kind, before, after }: ReplayDifference): string[] {
  const old = new Set(before.split('\n'));
  const lines = after.split('\n');
  // A response's status and headers are too common to search for.
  return (kind === 'response' ? lines.slice(lines.indexOf('') + 1 || lines.length) : lines)
    .filter((line) => !old.has(line))
    .flatMap((line) => line.match(/[^"\\:,{}[\]<>=]{2,}/g) ?? [])
    .map((text) => text.trim())
    .filter((text) => text.length > 1)
    .sort((a, b) => b.length - a.length)
    .slice(0, 20);
}

/** Returns the only source line that contains one of the strings. */
function findLine(
  texts: readonly string[],
  { folder, sources }: Pick<ReplayedProject, 'folder' | 'sources'>,
): StackFrame | undefined {
  const lines = sources.flatMap((path) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .map((text, index) => ({ path: relative(folder, path).replaceAll('\\', '/'), line: index + 1, text })),
  );
  for (const text of texts) {
    const found = lines.filter((line) => line.text.includes(text));
    const [only] = found;
    if (only && found.length === 1)
      return { path: only.path, line: only.line, column: only.text.indexOf(text) + 1 };
  }
  return undefined;
}
