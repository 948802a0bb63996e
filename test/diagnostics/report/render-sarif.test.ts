import { expect, test } from 'vitest';
import type { Diagnostic } from '../../../src/diagnostics/model/diagnostic.js';
import { renderSarif } from '../../../src/diagnostics/report/render-sarif.js';
import { createReport } from '../../../src/diagnostics/report/report.js';
import { createSarifValidator } from '../../support/sarif.js';
import { finding, report, view } from '../sample-report.js';

const validate = createSarifValidator();

const rules = [
  { code: 'manifest/unknown-key', severity: 'warning', summary: 'A key is not known.', page: '# Page' },
] as const;

test('checks SARIF reports against a published schema that rejects an invalid report', () => {
  expect(validate({ version: '2.1.0', runs: [{ results: [{ level: 'fatal' }] }] })).toBe(false);
});

test.each<[what: string, diagnostics: Diagnostic[]]>([
  ['no problems', []],
  [
    'all severities',
    (['error', 'warning', 'info'] as const).map((s) => finding(s, '1:2-3:4', 'x', { help: 'y' })),
  ],
  ['a problem without a position', [finding('error', undefined, 'x')]],
  ['an unknown code', [finding('error', '1:1-1:1', 'x', { code: 'other/code' })]],
  ['an unusual file name', [finding('error', '1:1-1:1', 'x', { file: '/work/a b/ü%{}"\n#?.yaml' })]],
  ['a file outside the folder', [finding('error', '1:1-1:1', 'x', { file: '/elsewhere/a b.yaml' })]],
])('writes a valid SARIF report with %s', (_, diagnostics) => {
  const log: unknown = JSON.parse(renderSarif(report(...diagnostics), view('', { rules })));
  validate(log);
  expect(validate.errors ?? []).toEqual([]);
});

test('writes the SARIF fields that code scanners read', () => {
  const other = finding('error', '2:1-2:2', 'Other.', { code: 'manifest/other', file: '/elsewhere/a b.yml' });
  const all = createReport(
    ['/work/a b.yaml'],
    [other, finding('info', '3:1-3:11', 'Hm.', { file: '/work/a b.yaml' })],
  );
  expect(JSON.parse(renderSarif(all, view('', { rules })))).toEqual({
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'platform',
            semanticVersion: '0.3.0',
            rules: [
              { id: 'manifest/other', help: { text: 'platform explain manifest/other' } },
              {
                id: 'manifest/unknown-key',
                shortDescription: { text: 'A key is not known.' },
                defaultConfiguration: { level: 'warning' },
                help: { text: '# Page', markdown: '# Page' },
              },
            ],
          },
        },
        columnKind: 'utf16CodeUnits',
        artifacts: [{ location: { uri: 'a%20b.yaml', uriBaseId: '%SRCROOT%' } }],
        results: [
          {
            ruleId: 'manifest/other',
            ruleIndex: 0,
            level: 'error',
            message: { text: 'Other.' },
            locations: [
              {
                physicalLocation: {
                  artifactLocation: { uri: 'file:///elsewhere/a%20b.yml' },
                  region: { startLine: 2, startColumn: 1, endLine: 2, endColumn: 2 },
                },
              },
            ],
          },
          {
            ruleId: 'manifest/unknown-key',
            ruleIndex: 1,
            level: 'note',
            message: { text: 'Hm.' },
            locations: [
              {
                physicalLocation: {
                  artifactLocation: { uri: 'a%20b.yaml', uriBaseId: '%SRCROOT%' },
                  region: { startLine: 3, startColumn: 1, endLine: 3, endColumn: 11 },
                },
              },
            ],
          },
        ],
      },
    ],
  });
});

test('never turns text from the project into a link in a SARIF report', () => {
  const messageOf = (text: string): unknown => {
    const log = JSON.parse(renderSarif(report(finding('error', '1:1-1:1', text)), view('', { rules }))) as {
      runs: { results: { message: { text: string } }[] }[];
    };
    return log.runs[0]?.results[0]?.message.text;
  };
  expect(messageOf('Unknown key "[fix](https://evil.example)".')).toBe(
    String.raw`Unknown key "\[fix\](https://evil.example)".`,
  );
  expect(messageOf(String.raw`\[fix\](1)`)).toBe(String.raw`\\\[fix\\\](1)`);
  expect(messageOf('The value must be a list, such as [1].')).toBe('The value must be a list, such as [1].');
});
