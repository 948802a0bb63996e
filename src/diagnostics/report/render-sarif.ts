import { pathToFileURL } from 'node:url';
import type { Diagnostic, Range, Severity } from '../model/diagnostic.js';
import { jsonText } from '../../terminal/printable-json.js';
import { relativePath } from '../../base/node/relative-path.js';
import type { Report, View } from './report.js';
import type { RuleInfo } from '../model/rule.js';

const levels: Record<Severity, string> = { error: 'error', warning: 'warning', info: 'note' };

/** Renders SARIF 2.1.0, which code scanning services support. */
export function renderSarif(
  report: Report,
  { cwd, rules, version }: Pick<View, 'cwd' | 'rules' | 'version'>,
): string {
  const all = [...report.diagnostics, ...report.ignored];
  const codes = [...new Set(all.map(({ code }) => code))].sort();
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'platform',
            semanticVersion: version,
            rules: codes.map((code) =>
              describeRule(
                code,
                rules.find((rule) => rule.code === code),
              ),
            ),
          },
        },
        columnKind: 'utf16CodeUnits',
        artifacts: report.files.map((file) => ({ location: toLocation(file, cwd) })),
        results: all.map((diagnostic) => toResult(diagnostic, codes, cwd)),
      },
    ],
  };
  return `${jsonText(log, 2)}\n`;
}

const describeRule = (code: string, rule: RuleInfo | undefined) => ({
  id: code,
  ...(rule && {
    shortDescription: { text: rule.summary },
    defaultConfiguration: { level: levels[rule.severity] },
  }),
  help: { text: rule?.page ?? `platform explain ${code}`, ...(rule?.page && { markdown: rule.page }) },
});

/** Escapes brackets with a backslash, because viewers would otherwise turn `[text](url)` in a message into a link. */
const withoutLinks = (text: string): string =>
  text.includes('](') ? text.replaceAll(/[[\]\\]/g, String.raw`\$&`) : text;

const toResult = (
  { code, severity, message, help, file, range, ignored }: Diagnostic,
  codes: string[],
  cwd: string,
) => ({
  ruleId: code,
  ruleIndex: codes.indexOf(code),
  level: levels[severity],
  message: { text: withoutLinks(help ? `${message}\n${help}` : message) },
  ...(ignored !== undefined && { suppressions: [{ kind: 'inSource', justification: ignored }] }),
  locations: [
    {
      physicalLocation: {
        artifactLocation: toLocation(file, cwd),
        ...(range && { region: toRegion(range) }),
      },
    },
  ],
});

/** Uses the absolute path for a file outside the folder, because services reject `..`. */
function toLocation(file: string, cwd: string) {
  const path = relativePath(cwd, file).replace(/\p{Cs}/gu, '\uFFFD');
  if (path.startsWith('../') || path.includes(':')) return { uri: pathToFileURL(file).href };
  return { uri: path.split('/').map(encodeURIComponent).join('/'), uriBaseId: '%SRCROOT%' };
}

const toRegion = ({ start, end }: Range) => ({
  startLine: start.line,
  startColumn: start.column,
  endLine: end.line,
  endColumn: end.column,
});
