import { expect, test } from 'vitest';
import { renderCodeFrame, toFrameSource } from '../../src/diagnostics/report/code-frame.js';
import { createStyle } from '../../src/terminal/style.js';
import { textWidth } from '../../src/terminal/text-width.js';
import { range } from './sample-report.js';
import { processorMs } from '../support/processor-time.js';

function frame(text: string, place: string, { width = 80, masks = [] as string[] } = {}): string[] {
  const source = toFrameSource({ text, masks: masks.map(range) });
  return renderCodeFrame(source, range(place), { style: createStyle(false), severity: 'error', width });
}

test.each<[what: string, text: string, place: string, lines: string]>([
  ['one line', 'a: 1', '1:4-1:5', '> 1 | a: 1\n    |    ^'],
  [
    'one line before and one after',
    'a: 1\nb: 2\nc: 3\nd: 4\ne: 5',
    '3:1-3:2',
    '  2 | b: 2\n> 3 | c: 3\n    | ^\n  4 | d: 4',
  ],
  ['no empty neighboring lines', 'a: 1\n\nb: 2\n  \nc: 3', '3:1-3:2', '> 3 | b: 2\n    | ^'],
  [
    'line numbers of different lengths',
    'x\n'.repeat(9) + 'here\nafter',
    '10:1-10:5',
    '   9 | x\n> 10 | here\n     | ^^^^\n  11 | after',
  ],
  [
    'a next line with a longer number',
    'x\n'.repeat(8) + 'here\nafter',
    '9:1-9:5',
    '   8 | x\n>  9 | here\n     | ^^^^\n  10 | after',
  ],
  ['tabs', '\ta:\tb', '1:5-1:6', '> 1 |     a:  b\n    |         ^'],
  ['a marked tab', 'ab\tc', '1:3-1:4', '> 1 | ab  c\n    |   ^^'],
  ['lines that end in CRLF', 'a: 1\r\nb: 2\r\n', '2:4-2:5', '  1 | a: 1\n> 2 | b: 2\n    |    ^'],
  ['a lone carriage return', 'a\rb', '1:3-1:4', '> 1 | a␍b\n    |   ^'],
  ['Chinese characters', 'title: 漢字 x', '1:8-1:10', '> 1 | title: 漢字 x\n    |        ^^^^'],
  ['a position after Chinese characters', '漢字: x', '1:5-1:6', '> 1 | 漢字: x\n    |       ^'],
  ['an emoji of one code point', '🚀: x', '1:5-1:6', '> 1 | 🚀: x\n    |     ^'],
  ['an emoji of many code points', '👩‍👩‍👧: x', '1:11-1:12', '> 1 | 👩‍👩‍👧: x\n    |     ^'],
  ['a flag', '🇯🇵: x', '1:7-1:8', '> 1 | 🇯🇵: x\n    |     ^'],
  ['combining marks', 'e\u0301\u0323: x', '1:6-1:7', '> 1 | e\u0301\u0323: x\n    |    ^'],
  ['a whole character even if only half of it is marked', '🚀', '1:2-1:3', '> 1 | 🚀\n    | ^^'],
  ['a byte order mark', '\uFEFFa: 1', '1:2-1:3', '> 1 | \uFFFDa: 1\n    |  ^'],
  ['an escape sequence', 'a: \u001B[31mred', '1:9-1:12', '> 1 | a: ␛[31mred\n    |         ^^^'],
  ['an empty range', 'a: 1', '1:4-1:4', '> 1 | a: 1\n    |    ^'],
  ['a position after the end of the line', 'a:\nb', '1:3-1:3', '> 1 | a:\n    |   ^\n  2 | b'],
  ['no line for empty text', '', '1:1-1:1', ''],
  ['a position after the end of the text', 'a: 1', '7:1-7:2', '> 1 | a: 1\n    |     ^'],
  [
    'a range of two lines',
    'a:\n  - b\n  - c\nd',
    '2:3-3:6',
    '  1 | a:\n> 2 |   - b\n    |   ^^^\n> 3 |   - c\n    |   ^^^\n  4 | d',
  ],
  ['a range up to the next line', 'a: 1\nb: 2\n', '1:1-2:1', '> 1 | a: 1\n    | ^^^^\n  2 | b: 2'],
  [
    'a range of many lines',
    'a\nb\nc\nd\ne\nf',
    '1:1-6:2',
    '> 1 | a\n    | ^\n> 2 | b\n    | ^\n  . |\n> 6 | f\n    | ^',
  ],
  [
    'all lines of a range of four',
    'a\nb\nc\nd',
    '1:1-4:2',
    '> 1 | a\n    | ^\n> 2 | b\n    | ^\n> 3 | c\n    | ^\n> 4 | d\n    | ^',
  ],
  [
    'a range of five lines with a line on each side',
    '0\na\nb\nc\nd\ne\n7',
    '2:1-6:2',
    '  1 | 0\n> 2 | a\n    | ^\n> 3 | b\n    | ^\n  . |\n> 6 | e\n    | ^\n  7 | 7',
  ],
  [
    'a range whose last line number is longer than the first',
    'x\n'.repeat(7) + 'a\nb\nc\nd\ne\nf',
    '8:1-12:2',
    '   7 | x\n>  8 | a\n     | ^\n>  9 | b\n     | ^\n  .. |\n> 12 | e\n     | ^\n  13 | f',
  ],
])('shows %s in a code frame', (_, text, place, lines) => {
  expect(frame(text, place).join('\n')).toBe(lines);
});

test.each<[what: string, place: string, line: string, mark: string]>([
  ['at the start', '1:1-1:4', '> 1 | 0123456789012345678901…', '    | ^^^'],
  ['in the middle', '1:51-1:54', '> 1 | …1234567890123456789012…', '    |           ^^^'],
  ['at the end', '1:98-1:101', '> 1 | …8901234567890123456789', '    |                     ^^^'],
])('shortens a long line around a position %s', (_, place, line, mark) => {
  const lines = frame('0123456789'.repeat(10), place, { width: 30 });
  for (const shown of lines) expect(textWidth(shown)).toBeLessThanOrEqual(30);
  expect(lines).toEqual([line, mark]);
});

test('reads a 10 MB line quickly', () => {
  let lines: string[] = [];
  const read = () => {
    lines = frame(`${'漢'.repeat(2_000_000)}HERE${'x'.repeat(8_000_000)}`, '1:2000001-1:2000005');
  };
  expect(processorMs(read)).toBeLessThan(5000);
  expect(lines[0]).toContain('HERE');
  expect(lines[1]?.trimEnd()).toMatch(/\^{4}$/);
});

test.each<[what: string, text: string, place: string, masks: string[], lines: string]>([
  ['the text itself', 'key: sk_live_1', '1:6-1:15', ['1:6-1:15'], '> 1 | key: ••••\n    |      ^^^^'],
  [
    'text before the position',
    'key: sk_live_1 # x',
    '1:16-1:19',
    ['1:6-1:15'],
    '> 1 | key: •••• # x\n    |           ^^^',
  ],
  ['the next line', 'a: 1\nkey: sk_live_1', '1:1-1:2', ['2:6-2:15'], '> 1 | a: 1\n    | ^\n  2 | key: ••••'],
  [
    'several lines',
    'key: |\n  sk_live\n  _1234\nend: 1',
    '1:1-1:4',
    ['1:6-4:1'],
    '> 1 | key: ••••\n    | ^^^\n  2 |   ••••',
  ],
  [
    'two ranges in one line',
    '{ a: s1, b: s22 }',
    '1:1-1:2',
    ['1:13-1:16', '1:6-1:8'],
    '> 1 | { a: ••••, b: •••• }\n    | ^',
  ],
  ['overlapping ranges', 'a: secret', '1:1-1:2', ['1:4-1:8', '1:6-1:10'], '> 1 | a: ••••••••\n    | ^'],
])('masks %s in a code frame', (_, text, place, masks, lines) => {
  expect(frame(text, place, { masks }).join('\n')).toBe(lines);
});
