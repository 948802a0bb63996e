import type { Diagnostic, Severity } from '../model/diagnostic.js';

const rank: Record<Severity, number> = { error: 0, warning: 1, info: 2 };

/** Sorts by file, position, severity, code and message, so the order is the same on every machine. Removes duplicates. */
export function sortDiagnostics(diagnostics: Iterable<Diagnostic>): Diagnostic[] {
  const sorted = [...diagnostics].sort(compare);
  return sorted.filter((diagnostic, index) => {
    const previous = sorted[index - 1];
    return !previous || compare(previous, diagnostic) !== 0;
  });
}

const compare = (a: Diagnostic, b: Diagnostic): number =>
  compareText(a.file, b.file) ||
  (a.range?.start.line ?? 0) - (b.range?.start.line ?? 0) ||
  (a.range?.start.column ?? 0) - (b.range?.start.column ?? 0) ||
  (a.range?.end.line ?? 0) - (b.range?.end.line ?? 0) ||
  (a.range?.end.column ?? 0) - (b.range?.end.column ?? 0) ||
  rank[a.severity] - rank[b.severity] ||
  compareText(a.code, b.code) ||
  compareText(a.message, b.message);

/** Compares code units, so that the locale does not change the order. */
const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
