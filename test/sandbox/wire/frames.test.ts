import { expect, test } from 'vitest';
import { createFrameReader, encodeFrame, type Frame } from '../../../src/sandbox/wire/frames.js';

const bytes = new TextEncoder();
const seal = 7;
const frames = [
  encodeFrame(seal, 'head', 1, { text: 'ünïcode 🚀', nothing: null }),
  encodeFrame(seal, 'data', 1, null, bytes.encode('abc')),
  encodeFrame(seal, 'whole', 4_294_967_295, [1], new Uint8Array([0, 255])),
  encodeFrame(seal, 'end', 1),
  encodeFrame(seal, 'room', 2, 65_536),
];
const said = [
  ['head', 1, { text: 'ünïcode 🚀', nothing: null }, []],
  ['data', 1, null, [97, 98, 99]],
  ['whole', 4_294_967_295, [1], [0, 255]],
  ['end', 1, null, []],
  ['room', 2, 65_536, []],
];

function read(chunks: Buffer[]): unknown[] {
  const taken: unknown[] = [];
  const reader = createFrameReader(
    (given) => given === seal,
    ({ kind, exchange, head, body }: Frame) => taken.push([kind, exchange, head, [...body]]),
  );
  for (const chunk of chunks) reader(chunk);
  return taken;
}

test('encodes the fields of a frame in the documented order', () => {
  expect(encodeFrame(seal, 'data', 258, 'ä', bytes.encode('xy')).toString('hex')).toBe(
    ['07000000', '17000000', '02', '02010000', '04000000', '22c3a422', '7879'].join(''),
  );
});

test('decodes frames regardless of how their bytes are split', () => {
  const all = Buffer.concat(frames);
  expect(read([all])).toEqual(said);
  expect(read(frames)).toEqual(said);
  expect(read(Array.from(all, (byte) => Buffer.of(byte)))).toEqual(said);
  for (let at = 1; at < all.length; at += 1) {
    expect(read([all.subarray(0, at), all.subarray(at)])).toEqual(said);
  }
});

test.each([
  ['of 16 bytes', '07000000 10000000 00 00000000 00000000'],
  ['of 2 MiB', '07000000 00002000 00 00000000 00000000'],
  ['with the wrong secret number', '08000000 11000000 00 00000000 00000000'],
  ['of an unknown kind', '07000000 11000000 09 00000000 00000000'],
  ['whose header extends past its end', '07000000 12000000 00 00000000 02000000 31'],
  ['whose header is not JSON', '07000000 12000000 00 00000000 01000000 7b'],
])('rejects a frame %s', (_, hex) => {
  expect(() => read([Buffer.from(hex.replaceAll(' ', ''), 'hex')])).toThrow();
});

test('does not send a header that is too large', () => {
  expect(() => encodeFrame(seal, 'head', 1, 'x'.repeat(1024 * 1024))).toThrow(
    'A message head of 1048578 bytes is too large.',
  );
});
