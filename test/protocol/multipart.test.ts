import { describe, expect, test } from 'vitest';
import { blocksOf, joinBlocks, type Blocks } from '../../src/protocol/byte-blocks.js';
import { readMultipart } from '../../src/protocol/multipart.js';

const bytes = new Uint8Array(
  Buffer.concat([
    Buffer.from('before\r\n--B\r\nContent-Disposition: form-data; name="first"\r\n\r\n'),
    Buffer.from([0, 255, 13, 10, 45, 45, 13, 10, 45, 45, 65, 13, 13, 10]),
    Buffer.from('\r\n--B \t\r\nContent-Disposition: form-data; name="second"\r\n\r\n\r\n--B--\r\nafter\r\n'),
  ]),
);

function* inPieces(size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

test.each([1, 2, 3, 5, 7, 64, 1000])('parts whose bytes come in pieces of %i', async (size) => {
  const limits = new Map([
    ['first', 14],
    ['second', 14],
  ]);
  const parts = await readMultipart(inPieces(size), 'B', limits);
  expect([...parts].map(([name, blocks]) => [name, [...joinBlocks(blocks)]])).toEqual([
    ['first', [0, 255, 13, 10, 45, 45, 13, 10, 45, 45, 65, 13, 13, 10]],
    ['second', []],
  ]);
  await expect(readMultipart(inPieces(size), 'B', new Map([['first', 13]]))).rejects.toMatchObject({
    status: 413,
  });
});

describe('the blocks of a request', () => {
  const request = (body: ReadableStream<Uint8Array>, headers = {}) =>
    new Request('http://script.internal/v1', {
      method: 'POST',
      headers,
      body,
      duplex: 'half',
    } as RequestInit);
  const stream = (count: number, size: number) => {
    let left = count;
    return new ReadableStream<Uint8Array>({
      pull: (controller) =>
        left-- > 0 ? controller.enqueue(new Uint8Array(size).fill(left % 256)) : controller.close(),
    });
  };

  test('are few, however small its pieces are', async () => {
    const blocks: Blocks = [];
    for await (const block of blocksOf(request(stream(200_000, 1)))) blocks.push(block);
    expect(blocks.map(({ length }) => length)).toEqual([65_536, 65_536, 65_536, 3392]);
    const whole = joinBlocks(blocks);
    expect([whole[0], whole[65_536], whole.at(-1)]).toEqual([199_999 % 256, 134_463 % 256, 0]);
  });

  test('are taken without a stream where the request says that it is small', async () => {
    const small = request(stream(10, 100), { 'content-length': '1000' });
    const unread = (): never => {
      throw new Error('the stream was asked for');
    };
    Object.defineProperty(small, 'body', { get: unread });
    expect((await blocksOf(small).next()).value).toHaveLength(1000);
    const large = request(stream(10, 100), { 'content-length': '65537' });
    Object.defineProperty(large, 'body', { get: unread });
    await expect(blocksOf(large).next()).rejects.toThrow('the stream was asked for');
  });
});
