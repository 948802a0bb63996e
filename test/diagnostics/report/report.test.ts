import { expect, test } from 'vitest';
import { createReport } from '../../../src/diagnostics/report/report.js';
import { applySeverities, type SeverityChoice } from '../../../src/diagnostics/report/override-severities.js';
import { finding } from '../sample-report.js';
import type { Diagnostic } from '../../../src/diagnostics/model/diagnostic.js';
import { nextCommand } from '../../../src/diagnostics/report/next-command.js';
import { sortDiagnostics } from '../../../src/diagnostics/report/sort-diagnostics.js';

test.each<[errors: number, warnings: number, infos: number, maxWarnings: number | undefined, ok: boolean]>([
  [0, 0, 0, undefined, true],
  [0, 9, 9, undefined, true],
  [1, 0, 0, undefined, false],
  [0, 2, 0, 2, true],
  [0, 3, 0, 2, false],
  [0, 1, 0, 0, false],
  [0, 0, 5, 0, true],
])(
  'a report with %i errors, %i warnings, %i infos and a limit of %s warnings is ok: %s',
  (errors, warnings, infos, maxWarnings, ok) => {
    const many = (count: number, severity: 'error' | 'warning' | 'info') =>
      Array.from({ length: count }, (_, index) => finding(severity, undefined, `${severity} ${index}`));
    const findings = [...many(infos, 'info'), ...many(warnings, 'warning'), ...many(errors, 'error')];
    const report = createReport([], findings, maxWarnings === undefined ? {} : { maxWarnings });
    expect(report).toMatchObject({ ok, summary: { errors, warnings, infos } });
  },
);

test.each<[choice: SeverityChoice | undefined, strict: boolean, severity: string | undefined]>([
  [undefined, false, 'warning'],
  [undefined, true, 'error'],
  ['info', true, 'info'],
  ['warning', true, 'error'],
  ['error', false, 'error'],
  ['off', true, undefined],
])('reports a warning with --rule %s and --strict %s as %s', (choice, strict, severity) => {
  const rules = new Map(choice ? [['manifest/unknown-key', choice]] : []);
  const [after] = applySeverities([finding('warning', undefined, 'x')], { rules, strict });
  expect(after?.severity).toBe(severity);
});

const fix: NonNullable<Diagnostic['fix']> = [];

test.each([
  ["the team's", `"the team's/platform-manifest.yaml"`],
  ['a,b', '"a,b/platform-manifest.yaml"'],
  ['@a', '"@a/platform-manifest.yaml"'],
  ['a@b%', 'a@b%/platform-manifest.yaml'],
  ["$the team's", String.raw`'$the team'\''s/platform-manifest.yaml'`],
])('suggests --fix with the path of a file that has a fixable problem: %s', (folder, path) => {
  const file = `/work/${folder}/platform-manifest.yaml`;
  const found = [finding('error', '1:1', 'First.'), finding('warning', '2:1', 'Fixable.', { fix, file })];
  expect(nextCommand(found, '/work')).toBe(`platform validate --fix ${path}`);
});

test('suggests the command that explains the first error, or the first warning if there are no errors', () => {
  const warning = finding('warning', '1:1', 'Hm.', { code: 'manifest/long-summary' });
  const error = finding('error', '9:1', 'Wrong.', { code: 'manifest/unknown-key' });
  expect(nextCommand([warning, error], '/work')).toBe('platform explain manifest/unknown-key');
  expect(nextCommand([warning], '/work')).toBe('platform explain manifest/long-summary');
});

test('suggests no command if there are only notes or no problems', () => {
  expect(nextCommand([finding('info', '1:1', 'By the way.', { fix })], '/work')).toBeUndefined();
  expect(nextCommand([], '/work')).toBeUndefined();
});

test('sorts problems by file, position, severity, code and message', () => {
  const ordered = [
    finding('warning', undefined, 'no place', { file: '/a.yaml' }),
    finding('error', '2:1-2:2', 'earlier line', { file: '/a.yaml' }),
    finding('error', '10:1-10:2', 'line ten is behind line two', { file: '/a.yaml' }),
    finding('error', '1:1-1:2', 'heavier'),
    finding('warning', '1:1-1:2', 'lighter'),
    finding('error', '1:3-1:4', 'behind', { code: 'a/a' }),
    finding('error', '1:3-1:4', 'a', { code: 'a/b' }),
    finding('error', '1:3-1:4', 'b', { code: 'a/b' }),
  ];
  expect(sortDiagnostics(ordered.toReversed())).toEqual(ordered);
});

test.each<[what: string, first: Diagnostic, second: Diagnostic]>([
  ['file', finding('info', '9:9-9:9', 'z', { file: '/a' }), finding('error', '1:1-1:1', 'a', { file: '/b' })],
  ['start line', finding('info', '2:9-9:9', 'z'), finding('error', '10:1-10:1', 'a')],
  ['start column', finding('info', '1:2-9:9', 'z'), finding('error', '1:10-1:11', 'a')],
  ['end line', finding('info', '1:1-2:9', 'z'), finding('error', '1:1-10:1', 'a')],
  ['end column', finding('info', '1:1-1:2', 'z'), finding('error', '1:1-1:10', 'a')],
  ['severity, errors before warnings', finding('error', '1:1-1:2', 'z'), finding('warning', '1:1-1:2', 'a')],
  ['severity, warnings before infos', finding('warning', '1:1-1:2', 'z'), finding('info', '1:1-1:2', 'a')],
  [
    'code',
    finding('error', '1:1-1:2', 'z', { code: 'a/a' }),
    finding('error', '1:1-1:2', 'a', { code: 'a/b' }),
  ],
  ['message, by code units', finding('error', '1:1-1:2', 'Z'), finding('error', '1:1-1:2', 'a')],
])('sorts problems by %s if all higher-priority criteria are equal', (_, first, second) => {
  expect(sortDiagnostics([second, first])).toEqual([first, second]);
  expect(sortDiagnostics([first, second])).toEqual([first, second]);
});

test('removes duplicate problems', () => {
  const twice = [finding('error', '1:1-1:2', 'same'), finding('error', '1:1-1:2', 'same')];
  expect(sortDiagnostics([...twice, finding('error', '1:1-1:3', 'same')])).toHaveLength(2);
});
