import type { Diagnostic } from '../model/diagnostic.js';
import { relativePath } from '../../base/node/relative-path.js';
import type { Report, View } from './report.js';
import { visibleLines } from '../../base/escape-control-characters.js';

/**
 * Renders one suite per file and one case per finding. Errors are failures. A file without findings is one
 * passed case.
 */
export function renderJunit({ files, summary, diagnostics }: Report, { cwd }: Pick<View, 'cwd'>): string {
  const findings = new Map<string, Diagnostic[]>(files.map((file) => [file, []]));
  for (const diagnostic of diagnostics) {
    findings.set(diagnostic.file, [...(findings.get(diagnostic.file) ?? []), diagnostic]);
  }
  const tests = [...findings.values()].reduce((sum, { length }) => sum + Math.max(1, length), 0);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="platform" tests="${tests}" failures="${summary.errors}" errors="0">`,
    ...Array.from(findings, ([file, list]) => renderSuite(relativePath(cwd, file), list)),
    '</testsuites>',
    '',
  ].join('\n');
}

function renderSuite(path: string, findings: readonly Diagnostic[]): string {
  const failures = findings.filter(({ severity }) => severity === 'error').length;
  const tests = Math.max(1, findings.length);
  const cases =
    findings.length > 0
      ? findings.map((finding) => renderCase(path, finding))
      : [`    <testcase classname="${escapeXml(path)}" name="no problems" />`];
  return [
    `  <testsuite name="${escapeXml(path)}" tests="${tests}" failures="${failures}" errors="0" skipped="0">`,
    ...cases,
    '  </testsuite>',
  ].join('\n');
}

function renderCase(path: string, { code, severity, message, help, range }: Diagnostic): string {
  const position = range ? `:${range.start.line}:${range.start.column}` : '';
  const text = escapeXml([`${path}${position}`, message, ...(help ? [help] : [])].join('\n'));
  const outcome =
    severity === 'error'
      ? `<failure type="${severity}" message="${escapeXml(message)}">${text}</failure>`
      : `<system-out>${severity}: ${text}</system-out>`;
  return [
    `    <testcase classname="${escapeXml(path)}" name="${escapeXml(code)}${position}">`,
    `      ${outcome}`,
    '    </testcase>',
  ].join('\n');
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\n': '&#10;',
};

/** XML 1.0 cannot contain most control characters, so they are replaced with visible symbols. */
const escapeXml = (text: string): string =>
  visibleLines(text)
    .join('\n')
    .replace(/[&<>"'\n\uFFFE\uFFFF]/g, (character) => entities[character] ?? '\uFFFD');
