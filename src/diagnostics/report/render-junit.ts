import type { Diagnostic } from '../model/diagnostic.js';
import { relativePath } from '../../base/node/relative-path.js';
import type { Report, View } from './report.js';
import { visibleLines } from '../../base/escape-control-characters.js';

export interface JunitSuite {
  name: string;
  cases: JunitCase[];
}

export interface JunitCase {
  name: string;
  failure?: { message: string; text: string };
  /** What to print for a case that has passed. */
  output?: string;
}

/**
 * Renders a suite per file and a test case per finding. Errors count as failures. A file without findings has a single
 * passed test case.
 */
export function renderJunit({ files, diagnostics }: Report, { cwd }: Pick<View, 'cwd'>): string {
  const findings = new Map<string, Diagnostic[]>(files.map((file) => [file, []]));
  for (const diagnostic of diagnostics) {
    findings.set(diagnostic.file, [...(findings.get(diagnostic.file) ?? []), diagnostic]);
  }
  return renderJunitSuites(
    Array.from(findings, ([file, list]) => {
      const path = relativePath(cwd, file);
      return {
        name: path,
        cases: list.length > 0 ? list.map((finding) => toCase(path, finding)) : [{ name: 'no problems' }],
      };
    }),
  );
}

function toCase(path: string, { code, severity, message, help, range }: Diagnostic): JunitCase {
  const position = range ? `:${range.start.line}:${range.start.column}` : '';
  const text = [`${path}${position}`, message, ...(help ? [help] : [])].join('\n');
  return {
    name: `${code}${position}`,
    ...(severity === 'error' ? { failure: { message, text } } : { output: `${severity}: ${text}` }),
  };
}

export function renderJunitSuites(suites: readonly JunitSuite[]): string {
  const cases = suites.flatMap((suite) => suite.cases);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="platform" tests="${cases.length}" failures="${failed(cases)}" errors="0">`,
    ...suites.map(renderSuite),
    '</testsuites>',
    '',
  ].join('\n');
}

const failed = (cases: readonly JunitCase[]): number => cases.filter(({ failure }) => failure).length;

function renderSuite({ name, cases }: JunitSuite): string {
  return [
    `  <testsuite name="${escapeXml(name)}" tests="${cases.length}" failures="${failed(cases)}" errors="0" skipped="0">`,
    ...cases.map((one) => renderCase(name, one)),
    '  </testsuite>',
  ].join('\n');
}

function renderCase(suite: string, { name, failure, output }: JunitCase): string {
  const start = `    <testcase classname="${escapeXml(suite)}" name="${escapeXml(name)}"`;
  if (!failure && output === undefined) return `${start} />`;
  const outcome = failure
    ? `<failure type="error" message="${escapeXml(failure.message)}">${escapeXml(failure.text)}</failure>`
    : `<system-out>${escapeXml(output ?? '')}</system-out>`;
  return [`${start}>`, `      ${outcome}`, '    </testcase>'].join('\n');
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
