import { expect, test } from 'vitest';
import { readMultipart } from '../../../src/protocol/envelope/read-multipart.js';

const bytes = new Uint8Array(
  Buffer.concat([
    Buffer.from('before\r\n--B\r\nContent-Disposition: form-data; name="first"\r\n\r\n'),
    Buffer.from([0, 255, 13, 10, 45, 45, 13, 10, 45, 45, 65, 13, 13, 10]),
    Buffer.from('\r\n--B \t\r\nContent-Disposition: form-data; name="second"\r\n\r\n\r\n--B--\r\nafter\r\n'),
  ]),
);

const request = (body: BodyInit) =>
  new Request('http://script.internal/v1', {
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=B' },
    body,
    duplex: 'half',
  } as RequestInit);

const inPieces = (size: number): ReadableStream<Uint8Array> => {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, at + size));
      at += size;
    },
  });
};

test.each([1, 2, 3, 5, 7, 64, 1000])('reads the parts of a body in chunks of %i bytes', async (size) => {
  const parts = await readMultipart(request(inPieces(size)), { first: 14, second: 14 });
  expect([...parts].map(([name, value]) => [name, [...value]])).toEqual([
    ['first', [0, 255, 13, 10, 45, 45, 13, 10, 45, 45, 65, 13, 13, 10]],
    ['second', []],
  ]);
  await expect(readMultipart(request(inPieces(size)), { first: 13 })).rejects.toMatchObject({ code: 413 });
});

test("rejects a header of many megabytes without overflowing the parser's stack", async () => {
  const head = `--B\r\nContent-Disposition: form-data; name="${'a'.repeat(16 * 1024 * 1024)}"`;
  await expect(readMultipart(request(`${head}\r\n\r\nx\r\n--B--`), {})).rejects.toMatchObject({ code: 400 });
});
