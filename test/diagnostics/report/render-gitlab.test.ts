import { expect, test } from 'vitest';
import { createReport, type Diagnostic } from '../../../src/diagnostics/index.js';
import { renderGitlab } from '../../../src/diagnostics/report/render-gitlab.js';

interface Issue {
  description: string;
  check_name: string;
  fingerprint: string;
  severity: string;
  location: { path: string; lines: { begin: number } };
}

const at = (line: number): Diagnostic => ({
  code: 'manifest/unknown-category',
  severity: 'warning',
  message: 'There is no category "x".',
  help: 'Use one of those.',
  file: '/work/a/platform-manifest.yaml',
  range: { start: { line, column: 1 }, end: { line, column: 2 } },
});
const render = (...found: Diagnostic[]): Issue[] =>
  JSON.parse(renderGitlab(createReport([], found), { cwd: '/work' })) as Issue[];

test('writes each problem as an issue with the fields that GitLab requires', () => {
  expect(
    render({ ...at(3), severity: 'error' }, { ...at(4), code: 'publish/start', severity: 'info' }),
  ).toEqual([
    {
      description: 'There is no category "x". Use one of those.',
      check_name: 'manifest/unknown-category',
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
      severity: 'major',
      location: { path: 'a/platform-manifest.yaml', lines: { begin: 3 } },
    },
    expect.objectContaining({ check_name: 'publish/start', severity: 'info' }),
  ]);
  expect(render()).toEqual([]);
  expect(render({ code: 'a/b', severity: 'warning', message: 'm', file: '/work/f' })[0]).toMatchObject({
    severity: 'minor',
    location: { path: 'f', lines: { begin: 1 } },
  });
});

test("keeps a problem's fingerprint when the problem moves, and gives identical problems different fingerprints", () => {
  const [one, two] = render(at(3), at(7));
  expect(one?.fingerprint).not.toBe(two?.fingerprint);
  expect(render(at(12))[0]?.fingerprint).toBe(one?.fingerprint);
});
