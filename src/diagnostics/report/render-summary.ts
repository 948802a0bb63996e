import type { Report } from './report.js';
import type { Style } from '../../terminal/style.js';

/** Renders a summary such as `2 errors and 1 warning in 1 of 3 files.` */
export function renderSummary(
  { files, summary, diagnostics, ignored, fixed = [], tooManyWarnings }: Report,
  style: Style,
): string {
  const looked = count(files.length, 'file');
  const silenced = ignored.length > 0 ? ` ${ignored.length} ignored.` : '';
  if (diagnostics.length === 0)
    return style.green(`No problems${fixed.length > 0 ? ' left' : ''} in ${looked}.${silenced}`);
  const found = [
    summary.errors > 0 && style.red(count(summary.errors, 'error')),
    summary.warnings > 0 && style.yellow(count(summary.warnings, 'warning')),
    summary.infos > 0 && style.blue(count(summary.infos, 'note')),
  ].filter((part) => part !== false);
  const touched = new Set(diagnostics.map(({ file }) => file)).size;
  const where = touched === files.length ? looked : `${touched} of ${looked}`;
  const verdict = tooManyWarnings ? ' More warnings than --max-warnings allows.' : '';
  return `${listed(found)} in ${where}.${verdict}${silenced}`;
}

export const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;

const listed = (parts: readonly string[]): string =>
  [parts.slice(0, -1).join(', '), parts.at(-1)].filter(Boolean).join(' and ');
