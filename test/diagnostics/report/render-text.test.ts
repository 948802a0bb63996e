import { expect, test } from 'vitest';
import { renderText } from '../../../src/diagnostics/report/render-text.js';
import { createReport } from '../../../src/diagnostics/report/report.js';
import { createStyle } from '../../../src/terminal/style.js';
import { finding, report, view } from '../sample-report.js';

const manifest = `name: hello
title: Hello
descripton: Says hello
visibility: privat
`;

test('prints a finding with its source lines, help and code', () => {
  const text = renderText(
    report(
      finding('error', '3:1-3:11', 'There is no key "descripton" in a manifest.', {
        help: 'Did you mean "description"?',
      }),
    ),
    view(manifest),
  );
  expect(text).toBe(`platform-manifest.yaml:3:1: error: There is no key "descripton" in a manifest.

    2 | title: Hello
  > 3 | descripton: Says hello
      | ^^^^^^^^^^
    4 | visibility: privat

  help: Did you mean "description"?
  manifest/unknown-key

1 error in 1 file.
`);
});

test('indents long sentences and multi-line help', () => {
  const text = renderText(
    report(
      finding('warning', undefined, 'This sentence is too long for the forty cells it has.', {
        help: 'Write this, which is long too, and then some:\n  visibility: private',
      }),
    ),
    view(manifest, { width: 50 }),
  );
  expect(text).toBe(`platform-manifest.yaml: warning: This sentence is
  too long for the forty cells it has.
  help: Write this, which is long too, and then
        some:
          visibility: private
  manifest/unknown-key

1 warning in 1 file.
`);
});

test('shows no code frame for a note', () => {
  const text = renderText(report(finding('info', '1:1-1:5', 'Only for your information.')), view(manifest));
  expect(text).toBe(`platform-manifest.yaml:1:1: info: Only for your information.
  manifest/unknown-key

1 note in 1 file.
`);
});

test('shows no code frame for a file whose source is unavailable', () => {
  const text = renderText(report(finding('error', '1:1-1:5', 'Gone')), view('', { source: () => undefined }));
  expect(text).not.toContain('|');
});

test('sorts the files in a report by name', () => {
  const findings = ['/work/b/m.yaml', '/work/a/m.yaml', '/other/m.yaml'].map((file) =>
    finding('error', '1:1-1:2', 'Wrong.', { file }),
  );
  const text = renderText(
    createReport(['/work/c/m.yaml', ...findings.map((f) => f.file)], findings),
    view(manifest),
  );
  expect(text.match(/^\S+\.yaml:1:1/gm)).toEqual(['../other/m.yaml:1:1', 'a/m.yaml:1:1', 'b/m.yaml:1:1']);
  expect(text).toMatch(/\n3 errors in 3 of 4 files\.\n$/);
});

test.each<[what: string, text: string]>([['', 'No problems in 2 files.\n']])(
  'prints only the number of files if there are no problems%s',
  (_, text) => {
    expect(renderText(createReport(['/a', '/b'], []), view(''))).toBe(text);
  },
);

test('reports that there are more warnings than allowed', () => {
  const strict = createReport(['/work/a'], [finding('warning', undefined, 'Hm.')], { maxWarnings: 0 });
  expect(renderText(strict, view(''))).toMatch(
    /1 warning in 1 file\. More warnings than --max-warnings allows\.\n$/,
  );
});

test('adds colors to a report without changing any characters', () => {
  const one = report(finding('error', '3:1-3:11', 'Wrong.', { help: 'Right.' }));
  const coloured = renderText(one, view(manifest, { style: createStyle(true) }));
  expect(coloured).toContain('\u001B[31m');
  // eslint-disable-next-line no-control-regex
  expect(coloured.replace(/\u001B\[\d+m/g, '')).toBe(renderText(one, view(manifest)));
});

test('renders ten times as many findings in about ten times the time', () => {
  const time = (count: number): number => {
    const findings = Array.from({ length: count }, (_, index) =>
      finding('error', `${index + 1}:1-${index + 1}:2`, 'x'),
    );
    const all = report(...findings);
    const start = performance.now();
    renderText(all, view('k: v\n'.repeat(count)));
    return performance.now() - start;
  };
  time(2_000);
  expect(time(20_000) / time(2_000)).toBeLessThan(40);
});
