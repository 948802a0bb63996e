import { renderCodeFrame, toFrameSource, severityPaint, type FrameSource } from './code-frame.js';
import type { Diagnostic } from '../model/diagnostic.js';
import { relativePath } from '../../base/node/relative-path.js';
import type { Report, View } from './report.js';
import { renderSummary } from './render-summary.js';
import { textWidth } from '../../terminal/text-width.js';
import { visible } from '../../base/escape-control-characters.js';
import { wrapText } from '../../terminal/wrap-text.js';

/** Renders each problem with its source lines, followed by a one-line summary. */
export function renderText(report: Report, view: View): string {
  const sources = new Map<string, FrameSource | undefined>();
  const frameSource = (file: string): FrameSource | undefined => {
    const source = sources.has(file) ? undefined : view.source(file);
    if (!sources.has(file)) sources.set(file, source && toFrameSource(source));
    return sources.get(file);
  };
  const findings = report.diagnostics.map((finding) => `${renderFinding(finding, frameSource, view)}\n\n`);
  const ignored = report.ignored.map((one) => `${renderIgnored(one, view)}\n`);
  const between = ignored.length > 0 ? '\n' : '';
  return `${findings.join('')}${ignored.join('')}${between}${renderSummary(report, view.style)}\n`;
}

function renderFinding(
  { code, severity, message, help, file, range }: Diagnostic,
  frameSource: (file: string) => FrameSource | undefined,
  { cwd, style, width }: View,
): string {
  const paint = severityPaint(style, severity);
  const position = range ? `:${range.start.line}:${range.start.column}` : '';
  const location = `${visible(relativePath(cwd, file))}${position}:`;
  const used = textWidth(`${location} ${severity}: `);
  const [first = '', ...rest] = wrapText(message, width - 2, used - 2);
  const source = range && severity !== 'info' ? frameSource(file) : undefined;
  const frame = range && source ? renderCodeFrame(source, range, { style, severity, width: width - 2 }) : [];
  const lines = [
    `${style.bold(location)} ${paint(style.bold(`${severity}:`))} ${first}`.trimEnd(),
    ...rest.map((line) => `  ${line}`),
    ...(frame.length > 0 ? ['', ...frame.map((line) => `  ${line}`), ''] : []),
    ...renderHelp(help, style.cyan('help:'), width),
    `  ${style.dim(code)}`,
  ];
  return lines.join('\n');
}

/** Renders `src/index.ts:3 ignored bundle/non-portable-api: falls back to Uint8Array`. */
export const renderIgnored = (
  { code, file, range, ignored = '' }: Diagnostic,
  { cwd, style }: Pick<View, 'cwd' | 'style'>,
): string =>
  style.dim(
    visible(
      `${relativePath(cwd, file)}:${range?.start.line ?? 1} ignored ${code}${ignored === '' ? '' : `: ${ignored}`}`,
    ),
  );

function renderHelp(help: string | undefined, label: string, width: number): string[] {
  if (!help) return [];
  const [first = '', ...rest] = wrapText(help, width - 8);
  return [`  ${label} ${first}`, ...rest.map((line) => `        ${line}`.trimEnd())];
}
