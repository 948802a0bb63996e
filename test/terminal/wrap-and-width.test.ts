import { expect, test } from 'vitest';
import { jsonText } from '../../src/terminal/printable-json.js';
import { nearestAll } from '../../src/base/did-you-mean.js';
import { relativePath } from '../../src/base/node/relative-path.js';
import { createStyle } from '../../src/terminal/style.js';
import { textWidth } from '../../src/terminal/text-width.js';
import { visible, visibleLines } from '../../src/base/escape-control-characters.js';
import { wrapText } from '../../src/terminal/wrap-text.js';

test.each<[text: string, cells: number]>([
  ['', 0],
  ['plain', 5],
  ['日本語', 6],
  ['한국어', 6],
  ['ｆｕｌｌ', 8],
  ['🚀', 2],
  ['❤️', 2],
  ['❤', 1],
  ['👍🏽', 2],
  ['👨‍👩‍👧‍👦', 2],
  ['🇺🇳', 2],
  ['e\u0301', 1],
  ['नमस्ते', 4],
  ['Привет', 6],
])('measures the width of %j as %i cells', (text, cells) => {
  expect(textWidth(text)).toBe(cells);
});

test.each<[text: string, shown: string]>([
  ['ok – naïve 漢 🚀', 'ok – naïve 漢 🚀'],
  ['\u001B[2J', '␛[2J'],
  ['\u009B2J', '\uFFFD2J'],
  ['a\u0000b\u007Fc', 'a␀b␡c'],
  ['evil\u202Etxt', 'evil\uFFFDtxt'],
  ['zero\u200Bwidth', 'zero\uFFFDwidth'],
  ['half \uD83D', 'half \uFFFD'],
  ['👨‍👩‍👧', '👨‍👩‍👧'],
])('shows %j as %j', (text, shown) => {
  expect(visible(text)).toBe(shown);
});

test('shows or escapes every invisible character except joiners and variation selectors', () => {
  const needed = /\u200C|\u200D|[\uFE00-\uFE0F]|[\u180B-\u180D\u180F]/;
  const invisible = Array.from({ length: 0xe_10_00 }, (_, code) => code)
    .filter((code) => code < 0xd8_00 || (code > 0xdf_ff && code < 0x2_00_00) || code >= 0xe_00_00)
    .map((code) => String.fromCodePoint(code))
    .filter((character) => /[\p{Default_Ignorable_Code_Point}\u2800]/u.test(character));
  const kept = invisible.filter((character) => visible(character) === character);
  expect(invisible.length).toBeGreaterThan(4000);
  expect(kept.filter((character) => !needed.test(character))).toEqual([]);
  expect(kept).toEqual(invisible.filter((character) => jsonText(character) === `"${character}"`));
  expect(kept).toHaveLength(22);
  expect(JSON.parse(jsonText(invisible))).toEqual(invisible);
});

test('splits lines at every kind of line break', () => {
  expect(visibleLines('a\r\nb\rc\nd')).toEqual(['a', 'b', 'c', 'd']);
});

test.each<[text: string, width: number, used: number, lines: string[]]>([
  ['one two three', 20, 0, ['one two three']],
  ['one two three', 8, 0, ['one two', 'three']],
  ['one two three', 8, 5, ['one', 'two', 'three']],
  ['incomprehensibilities a', 8, 0, ['incomprehensibilities', 'a']],
  ['incomprehensibilities a', 24, 10, ['', 'incomprehensibilities a']],
  ['日本 日本 日本', 9, 0, ['日本 日本', '日本']],
  ['write:\n  a: 1', 20, 0, ['write:', '  a: 1']],
  ['  one two three', 8, 0, ['  one', '  two', '  three']],
])('wraps %j at %i columns, of which %i are already used', (text, width, used, lines) => {
  expect(wrapText(text, width, used)).toEqual(lines);
});

test('escapes control characters in JSON output without changing the value', () => {
  const value = { text: '\u009B31m \u202E \u007F é 漢' };
  expect(jsonText(value)).toBe('{"text":"\\u009b31m \\u202e \\u007f é 漢"}');
  expect(JSON.parse(jsonText(value))).toEqual(value);
});

const keys = 'description title scopes script icon summary space:content:read visibility'.split(' ');

test.each<[word: string, found: string[]]>([
  ['descripton', ['description']],
  ['Title', ['title']],
  ['sumary', ['summary']],
  ['scirpt', ['script']],
  ['space:content:raed', ['space:content:read']],
  ['scope', ['scopes']],
  ['icno', ['icon']],
  ['banana', []],
  ['x', []],
  ['', []],
])('for the unknown name %j, suggests %j', (word, found) => {
  expect(nearestAll(word, keys)).toEqual(found);
});

test('shows paths relative to the folder and with forward slashes', () => {
  expect(relativePath('/work/a', '/work/a/b/c.yaml')).toBe('b/c.yaml');
  expect(relativePath('/work/a', '/work/c.yaml')).toBe('../c.yaml');
});

test('does not change text if colors are off', () => {
  expect(createStyle(false).red('x')).toBe('x');
  expect(createStyle(true).red('x')).toBe('\u001B[31mx\u001B[39m');
});
