import type { Diagnostic, Severity } from '../model/diagnostic.js';
import { relativePath } from '../../base/node/relative-path.js';
import type { Report, View } from './report.js';
import { createStyle } from '../../terminal/style.js';
import { count, renderSummary } from './render-summary.js';
import { visible, visibleLines } from '../../base/escape-control-characters.js';

const kinds = { error: 'error', warning: 'warning', info: 'notice' } as const;

/** GitHub's limit on annotations of the same kind per step. */
const limit = 10;

/** Renders workflow commands, which show each finding next to its line in a pull request. */
export function renderGithub(report: Report, { cwd, style }: Pick<View, 'cwd' | 'style'>): string {
  const lines = (['error', 'warning', 'info'] as const).flatMap((severity) => {
    const findings = report.diagnostics.filter((diagnostic) => diagnostic.severity === severity);
    const more = findings.length - limit;
    return [
      ...findings.slice(0, limit).map((finding) => style.ciCommand(annotate(finding, cwd))),
      ...(more > 0 ? [notShown(more, severity)] : []),
    ];
  });
  return `${[...lines, renderSummary(report, createStyle(false))].join('\n')}\n`;
}

function annotate({ code, severity, message, help, file, range }: Diagnostic, cwd: string): string {
  const oneLine = range?.start.line === range?.end.line;
  const properties = {
    file: visible(relativePath(cwd, file)),
    title: code,
    ...(range && { line: range.start.line, endLine: range.end.line }),
    ...(range && oneLine && { col: range.start.column, endColumn: range.end.column }),
  };
  const list = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(String(value))}`);
  const text = visibleLines(help ? `${message}\n${help}` : message).join('\n');
  return `::${kinds[severity]} ${list.join(',')}::${escapeData(text)}`;
}

const notShown = (more: number, severity: Severity): string =>
  `${count(more, `more ${severity === 'info' ? 'note' : severity}`)} not annotated: GitHub shows at most ${limit} of a kind.`;

const escapeData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const escapeProperty = (text: string): string =>
  escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
