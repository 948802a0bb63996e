import { expect, test } from 'vitest';
import { renderGithub } from '../../../src/diagnostics/report/render-github.js';
import { createReport } from '../../../src/diagnostics/report/report.js';
import { finding, report, view } from '../sample-report.js';

test.each<[what: string, diagnostic: ReturnType<typeof finding>, line: string]>([
  [
    'a problem on one line',
    finding('error', '3:1-3:11', 'Wrong.', { help: 'Right.' }),
    '::error file=platform-manifest.yaml,title=manifest/unknown-key,line=3,endLine=3,col=1,endColumn=11::Wrong.%0ARight.',
  ],
  [
    'a problem on several lines, without columns',
    finding('warning', '3:1-5:2', 'Hm.'),
    '::warning file=platform-manifest.yaml,title=manifest/unknown-key,line=3,endLine=5::Hm.',
  ],
  [
    'a problem without a position',
    finding('info', undefined, 'So.'),
    '::notice file=platform-manifest.yaml,title=manifest/unknown-key::So.',
  ],
  [
    'text with special characters',
    finding('error', undefined, '100%: a,b\r\n::error::x', { file: '/work/a,b:c%.yaml' }),
    '::error file=a%2Cb%3Ac%25.yaml,title=manifest/unknown-key::100%25: a,b%0A::error::x',
  ],
])('prints a GitHub annotation for %s', (_, diagnostic, line) => {
  expect(renderGithub(report(diagnostic), view('')).split('\n')[0]).toBe(line);
});

test('prints at most ten annotations of each kind, and the number of omitted ones', () => {
  const many = (severity: 'error' | 'warning', count: number) =>
    Array.from({ length: count }, (_, index) => finding(severity, `${index + 1}:1-${index + 1}:2`, 'x'));
  const text = renderGithub(
    createReport(['/work/a'], [...many('error', 10), ...many('warning', 23)]),
    view(''),
  );
  expect(text.match(/^::error /gm)).toHaveLength(10);
  expect(text.match(/^::warning /gm)).toHaveLength(10);
  expect(text.split('\n').slice(-3)).toEqual([
    '13 more warnings not annotated: GitHub shows at most 10 of a kind.',
    '10 errors and 23 warnings in 1 file.',
    '',
  ]);
});
