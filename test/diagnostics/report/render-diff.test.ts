import { execFileSync } from 'node:child_process';
import * as fc from 'fast-check';
import { createFixture } from 'fs-fixture';
import { expect, test } from 'vitest';
import { renderDiff } from '../../../src/diagnostics/report/render-diff.js';
import { paintDiff } from '../../../src/terminal/paint-diff.js';
import { createStyle } from '../../../src/terminal/style.js';
import { range } from '../sample-report.js';
import { processorMs } from '../../support/processor-time.js';

const diff = (before: string, after: string): string =>
  renderDiff('m.yaml', { text: before }, { text: after });

const numbers = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}\n`);

test('shows a changed line with three unchanged lines on both sides', () => {
  const before = numbers(9).join('');
  expect(diff(before, before.replace('line 5', 'LINE 5'))).toBe(`--- a/m.yaml
+++ b/m.yaml
@@ -2,7 +2,7 @@
 line 2
 line 3
 line 4
-line 5
+LINE 5
 line 6
 line 7
 line 8
`);
});

test.each<[what: string, before: string, after: string, lines: string[]]>([
  ['no hunks for identical text', 'a\n', 'a\n', []],
  ['a new file', '', 'a\n', ['@@ -0,0 +1,1 @@', '+a']],
  ['a deleted file', 'a\n', '', ['@@ -1,1 +0,0 @@', '-a']],
  ['a line added at the end', 'a\n', 'a\nb\n', ['@@ -1,1 +1,2 @@', ' a', '+b']],
  [
    'a missing trailing newline',
    'a',
    'b',
    ['@@ -1,1 +1,1 @@', '-a', '\\ No newline at end of file', '+b', '\\ No newline at end of file'],
  ],
  ['lines that end in CRLF', 'a\r\nb\r\n', 'a\r\nc\r\n', ['@@ -1,2 +1,2 @@', ' a\r', '-b\r', '+c\r']],
  ['escape sequences as visible text', 'a\n', '\u001B[2J\n', ['@@ -1,1 +1,1 @@', '-a', '+␛[2J']],
])('shows %s in a diff', (_, before, after, lines) => {
  expect(diff(before, after).split('\n').slice(2, -1)).toEqual(lines);
});

test('puts distant changes in separate hunks and close ones in the same hunk', () => {
  const before = numbers(30).join('');
  const far = before.replace('line 2\n', 'x\n').replace('line 20\n', 'y\n');
  const near = before.replace('line 2\n', 'x\n').replace('line 8\n', 'y\n');
  expect(diff(before, far).match(/^@@ .*/gm)).toEqual(['@@ -1,5 +1,5 @@', '@@ -17,7 +17,7 @@']);
  expect(diff(before, near).match(/^@@ .*/gm)).toEqual(['@@ -1,11 +1,11 @@']);
});

test('masks secrets on both sides of a diff', () => {
  const before = { text: 'visibilty: x\nkey: sk_1\n', masks: [range('2:6-2:10')] };
  const after = { text: 'visibility: x\nkey: sk_1\n', masks: [range('2:6-2:10')] };
  const text = renderDiff('m.yaml', before, after);
  expect(text).not.toContain('sk_1');
  expect(text).toContain(' key: ••••');
});

test('writes a diff that git apply accepts', async () => {
  await using fixture = await createFixture({});
  execFileSync('git', ['init', '-q'], { cwd: fixture.path });
  const line = fc.constantFrom('a', 'b', 'c', 'd: 漢', 'e\t', '');
  const text = fc
    .tuple(fc.array(line, { maxLength: 14 }), fc.constantFrom('\n', ''))
    .map(([lines, end]) => (lines.length > 0 && lines.at(-1) ? lines.join('\n') + end : ''));
  await fc.assert(
    fc.asyncProperty(text, text, async (before, after) => {
      fc.pre(before !== '' && after !== '' && before !== after);
      await fixture.writeFile('m.yaml', before);
      execFileSync('git', ['apply', '--whitespace=nowarn', '-'], {
        cwd: fixture.path,
        input: diff(before, after),
      });
      expect(await fixture.readFile('m.yaml', 'utf8')).toBe(after);
    }),
    { numRuns: 60 },
  );
});

test('quickly compares 10,000 lines that have changes at both ends and in the middle', () => {
  const before = numbers(10_000);
  const after = before.with(0, 'x\n').with(5000, 'y\n').with(9999, 'z\n');
  expect(processorMs(() => diff(before.join(''), after.join('')))).toBeLessThan(5000);
});

test('prints added and removed lines in color', () => {
  const painted = paintDiff('--- a/m\n+++ b/m\n@@ -1,1 +1,1 @@\n-a\n+b\n', createStyle(true));
  expect(painted.split('\n').map((line) => line.slice(1, 5))).toEqual([
    '[1m-',
    '[1m+',
    '[36m',
    '[31m',
    '[32m',
    '',
  ]);
  expect(paintDiff('-a\n', createStyle(false))).toBe('-a\n');
});
