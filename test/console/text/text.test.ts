import { expect, it } from 'vitest';
import { bodyText, readBody } from '../../../src/console/text/readable-body.js';
import { formatBytes } from '../../../src/base/text/format-bytes.js';
import { dedent } from '../../../src/console/text/code/dedent.js';
import { formatAge, formatDuration, formatTimeOrDate, formatWait } from '../../../src/console/text/format.js';
import { hexRow } from '../../../src/console/text/hex/hex.js';
import { safeFrame, safeImage, safeLink } from '../../../src/console/text/safe-url.js';

const base = 'http://127.0.0.1:4100/console/';

it.each([
  ['https://a.test/b', 'https://a.test/b'],
  ['/b', 'http://127.0.0.1:4100/b'],
  ['mailto:a@b.test', 'mailto:a@b.test'],
  ['javascript:alert(1)', undefined],
  ['\u0001 jAvAsCrIpT:alert(1)', undefined],
  ['java\nscript:alert(1)', undefined],
  ['data:text/html,<script>1</script>', undefined],
  ['vbscript:x', undefined],
  ['blob:http://127.0.0.1/x', undefined],
  ['file:///etc/passwd', undefined],
  ['http://[', undefined],
  [{ href: 'javascript:1' }, undefined],
])('safeLink(%j) returns %j', (value, expected) => {
  expect(safeLink(value, base)).toBe(expected);
});

it.each([
  ['data:image/png;base64,AA==', 'data:image/png;base64,AA=='],
  ['data:image/svg+xml,<svg/>', 'data:image/svg+xml,<svg/>'],
  ['data:text/html,x', undefined],
  ['javascript:1', undefined],
  ['https://a.test/x.png', 'https://a.test/x.png'],
])('safeImage(%j) returns %j', (value, expected) => {
  expect(safeImage(value, base)).toBe(expected);
});

it("safeFrame rejects pages from the console's origin", () => {
  expect(
    ['data:text/html,x', 'about:srcdoc', 'blob:x', 'javascript:1'].map((url) => safeFrame(url, base)),
  ).toEqual([undefined, undefined, undefined, undefined]);
});

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
it.each<[string, Uint8Array, object]>([
  ['an empty body', bytes(''), { kind: 'empty' }],
  ['a JSON body', bytes('{"a":1}'), { kind: 'json', value: { a: 1 }, text: '{"a":1}' }],
  ['a text body', bytes('héllo'), { kind: 'text', text: 'héllo' }],
  ['invalid JSON as text', bytes('{a}'), { kind: 'text', text: '{a}' }],
  ['invalid UTF-8 as binary data', new Uint8Array([0xff, 0xfe]), { kind: 'binary' }],
  ['a zero byte as binary data', new Uint8Array([0x41, 0]), { kind: 'binary' }],
])('recognizes %s', (_, body, view) => {
  expect(readBody(body)).toEqual(view);
});

it('formats bytes as a row of hexadecimal numbers', () => {
  const bytes = Uint8Array.from({ length: 20 }, (_, i) => i + 0x3c);
  expect(hexRow(bytes, 0)).toEqual({
    offset: '00000000',
    hex: '3c 3d 3e 3f 40 41 42 43  44 45 46 47 48 49 4a 4b',
    text: '<=>?@ABCDEFGHIJK',
  });
  expect(hexRow(bytes, 1)).toMatchObject({ offset: '00000010', text: 'LMNO' });
});

it('formats byte sizes and durations', () => {
  expect([0, 1023, 1024, 1536, 1_048_575, 104_857_600].map(formatBytes)).toEqual([
    '0 B',
    '1023 B',
    '1.0 KiB',
    '1.5 KiB',
    '1.0 MiB',
    '100 MiB',
  ]);
  expect([undefined, 0.4, 12.4, 999.6, 1500, 59_960, 65_000, 119_600].map(formatDuration)).toEqual([
    '–',
    '<1 ms',
    '12 ms',
    '1.00 s',
    '1.50 s',
    '1 min 0 s',
    '1 min 5 s',
    '2 min 0 s',
  ]);
  expect([1, 42_000, 61_000, 599_000, 600_000, 3_599_000, 3_600_000, 90_000_000].map(formatWait)).toEqual([
    '1 s',
    '42 s',
    '1 min 1 s',
    '9 min 59 s',
    '10 min',
    '59 min',
    '1 h 0 min',
    '25 h 0 min',
  ]);
});

it.each([
  ['AA==', '1 byte of binary data'],
  ['AAE=', '2 bytes of binary data'],
  ['AAEC', '3 bytes of binary data'],
])('describes the binary body %s as %s', (content, text) => {
  expect(bodyText({ encoding: 'base64', content })).toBe(text);
});

it.each([
  [['    const a = 1;', '', '      a.b();'], ['const a = 1;', '', '  a.b();'], 4],
  [['\t\tone', '\t two'], ['\tone', ' two'], 1],
  [['one', '  two'], ['one', '  two'], 0],
  [['', '  '], ['', '  '], 0],
])('removes only the indentation that the lines %j have in common', (lines, expected, removed) => {
  expect(dedent(lines)).toEqual({ lines: expected, removed });
});

it('formats the age of an event in coarse steps', () => {
  const ages = [-5, 9_999, 10_000, 59_000, 60_000, 3_599_000, 3_600_000, 86_399_000, 200_000_000];
  expect(ages.map(formatAge)).toEqual([
    'just now',
    'just now',
    '10 s ago',
    '50 s ago',
    '1 min ago',
    '59 min ago',
    '1 h ago',
    '23 h ago',
    '2 d ago',
  ]);
});

it("adds the date to a time unless it is today's", () => {
  const now = new Date(2026, 10, 27, 23, 50).getTime();
  expect(formatTimeOrDate(now + 60_000, now)).toBe('23:51:00');
  expect(formatTimeOrDate(now + 3_600_000, now)).toBe('2026-11-28 00:50:00');
});
