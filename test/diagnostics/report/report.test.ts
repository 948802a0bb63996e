import { expect, test } from 'vitest';
import { createReport } from '../../../src/diagnostics/report/report.js';
import { applySeverities, type SeverityChoice } from '../../../src/diagnostics/report/override-severities.js';
import { finding } from '../sample-report.js';

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
