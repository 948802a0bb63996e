import { inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { encodePalettePng } from '../../scripts/pictures/palette-png.js';
import { readAnsi } from '../../scripts/pictures/read-ansi.js';

test('splits colored output into text segments with their columns', () => {
  const plain = { bold: false, dim: false, color: undefined };
  expect(readAnsi('\u001B[1ma b\u001B[22m   \u001B[31mno\u001B[39m\n\u001B[2m  x\u001B[0m y')).toEqual([
    [
      { ...plain, bold: true, text: 'a b', column: 0 },
      { ...plain, color: 'red', text: 'no', column: 6 },
    ],
    [
      { ...plain, dim: true, text: 'x', column: 2 },
      { ...plain, text: 'y', column: 4 },
    ],
  ]);
  expect(() => readAnsi('\u001B[35m')).toThrow('ANSI code 35');
});

test('keeps the 256 most frequent colors of an image and approximates the others', () => {
  const frequent = Array.from({ length: 256 }, (_, grey) => [grey, grey, grey, 255]);
  const data = Uint8Array.from([...frequent, ...frequent, [9, 9, 10, 255]].flat());
  const png = encodePalettePng({ width: 513, height: 1, data });
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  const at = png.indexOf('PLTE') + 4;
  const palette = [...png.subarray(at, at + 768)];
  const rows = inflateSync(png.subarray(png.indexOf('IDAT') + 4, png.indexOf('IEND') - 8));
  const last = rows.at(-1)! * 3;
  expect(rows.length).toBe(514);
  expect(palette.slice(last, last + 3)).toEqual([9, 9, 9]);
});
