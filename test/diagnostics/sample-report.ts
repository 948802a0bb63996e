import type { Diagnostic, Range, Severity } from '../../src/diagnostics/model/diagnostic.js';
import { createReport, type Report, type View } from '../../src/diagnostics/report/report.js';
import { createStyle } from '../../src/terminal/style.js';

/** `1:2-3:4` */
export function range(text: string): Range {
  const [line = 1, column = 1, endLine = 1, endColumn = 1] = text.split(/[:-]/).map(Number);
  return { start: { line, column }, end: { line: endLine, column: endColumn } };
}

export const finding = (
  severity: Severity,
  place: string | undefined,
  message: string,
  more: Partial<Diagnostic> = {},
): Diagnostic => ({
  code: 'manifest/unknown-key',
  severity,
  message,
  file: '/work/platform-manifest.yaml',
  ...(place && { range: range(place) }),
  ...more,
});

export const view = (text: string, more: Partial<View> = {}): View => ({
  cwd: '/work',
  width: 80,
  style: createStyle(false),
  source: () => ({ text }),
  rules: [],
  version: '0.3.0',
  ...more,
});

export const report = (...diagnostics: Diagnostic[]): Report =>
  createReport(['/work/platform-manifest.yaml'], diagnostics);
