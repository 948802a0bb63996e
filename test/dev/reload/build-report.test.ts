import { expect, it } from 'vitest';
import { reportBuild } from '../../../src/dev/events/build-report.js';
import type { SessionEvent } from '../../../src/dev/events/session-event.js';
import type { Diagnostic } from '../../../src/diagnostics/index.js';

const problem: Diagnostic = {
  code: 'bundle/syntax',
  severity: 'error',
  message: 'Expected ";".',
  file: '/work/it/src/index.ts',
  range: { start: { line: 2, column: 5 }, end: { line: 2, column: 6 } },
};
const sources = new Map([[problem.file, { text: 'let a;\nlet ?;\nlet c;' }]]);

it('contains the same code frame as the terminal output', () => {
  const event = { type: 'broken', what: 'build', diagnostics: [problem], sources } as const;
  expect(reportBuild({ ...event, diagnostics: [problem] }, '/work/it', 7)).toEqual({
    ok: false,
    what: 'script',
    time: 7,
    problems: [
      {
        code: 'bundle/syntax',
        severity: 'error',
        message: 'Expected ";".',
        file: 'src/index.ts',
        line: 2,
        column: 5,
        frame: ['  1 | let a;', '> 2 | let ?;', '    |     ^', '  3 | let c;'],
      },
    ],
  });
});

it('a build report covers successful builds and scripts that do not start', () => {
  const built = reportBuild(
    { type: 'built', durationMs: 12, warnings: [], building: [], sources, files: [] },
    '/work/it',
    7,
  );
  expect(built).toEqual({ ok: true, what: 'script', time: 7, durationMs: 12, problems: [] });
  const checked = { type: 'checked', by: 'apis', diagnostics: [problem], sources } as const;
  expect(reportBuild({ ...checked, diagnostics: [problem] }, '/work/it', 9, built)).toMatchObject({
    ok: true,
    time: 7,
    problems: [{ code: 'bundle/syntax', line: 2 }],
  });
  expect(
    reportBuild({ type: 'broken-script', message: 'Error: no\n    at src/a.ts:1:2' }, '/work/it', 7),
  ).toMatchObject({ ok: false, problems: [{ message: 'Error: no', frame: ['    at src/a.ts:1:2'] }] });
  expect(reportBuild({ type: 'reloaded', version: 2 }, '/work/it', 7)).toBeUndefined();
});

it('every build report explains why types are not checked', () => {
  const built: SessionEvent = {
    type: 'built',
    durationMs: 1,
    warnings: [],
    building: [],
    sources,
    files: [],
  };
  const warning = { type: 'warning', code: 'typecheck', message: 'Types are not checked: no.' } as const;
  const first = reportBuild(built, '/work/it', 7);
  const warned = reportBuild(warning, '/work/it', 8, first);
  expect(warned).toMatchObject({ ok: true, time: 7, typesNotChecked: warning.message });
  expect(reportBuild(built, '/work/it', 9, warned)).toMatchObject({
    time: 9,
    typesNotChecked: warning.message,
  });
  expect(reportBuild({ ...warning, code: 'store' }, '/work/it', 9, warned)).toBeUndefined();
});
