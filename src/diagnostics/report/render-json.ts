import type { Diagnostic } from '../model/diagnostic.js';
import { jsonText } from '../../terminal/printable-json.js';
import { nextCommand } from './next-command.js';
import { relativePath } from '../../base/node/relative-path.js';
import type { Report, View } from './report.js';

/** Renders JSON for scripts. The fields are stable, and `version` is the format version. */
export function renderJson(report: Report, view: Pick<View, 'cwd'>): string {
  const next = nextCommand(report.diagnostics, view.cwd);
  const document = { version: 1, ...reportToJson(report, view), ...(next !== undefined && { next }) };
  return `${jsonText(document, 2)}\n`;
}

export const reportToJson = (
  { ok, files, summary, diagnostics, ignored, fixed }: Report,
  { cwd }: Pick<View, 'cwd'>,
) => ({
  ok,
  files: files.map((file) => relativePath(cwd, file)),
  summary,
  diagnostics: diagnostics.map((diagnostic) => diagnosticToJson(diagnostic, cwd)),
  ...(ignored.length > 0 && {
    ignored: ignored.map((one) => ({ ...diagnosticToJson(one, cwd), reason: one.ignored })),
  }),
  ...(fixed && { fixed: fixed.map((one) => ({ ...one, file: relativePath(cwd, one.file) })) }),
});

const diagnosticToJson = ({ code, severity, message, help, file, range }: Diagnostic, cwd: string) => ({
  code,
  severity,
  message,
  ...(help !== undefined && { help }),
  file: relativePath(cwd, file),
  ...(range && { range }),
});
