import { expect, test } from 'vitest';
import { bytesOf } from '../../../src/protocol/envelope/request-bytes.js';

const body = Uint8Array.from({ length: 200_000 }, (_, i) => (i * 31) % 256);
const lineBreak = Buffer.from('\r\n');

const request = (headers: Record<string, string>) =>
  new Request('http://script.internal/v1', { method: 'POST', headers, body: new Blob([body]) });

test.each([
  {},
  { 'content-length': '200000' },
  { 'content-length': '5' },
  { 'content-length': '999999999' },
  { 'content-length': '200000, 200000' },
])('reads the entire body of a request with the headers %o', async (headers) => {
  const bytes = await bytesOf(request(headers), 200_002);
  expect(Buffer.compare(bytes, Buffer.concat([lineBreak, body]))).toBe(0);
  await expect(bytesOf(request(headers), 200_001)).rejects.toThrow(RangeError);
});

test('uses little memory for a body with a small Content-Length', async () => {
  const small = new Request('http://script.internal/v1', {
    method: 'POST',
    headers: { 'content-length': '3' },
    body: 'abc',
  });
  const bytes = await bytesOf(small, 100_000_000);
  expect([...bytes]).toEqual([13, 10, 97, 98, 99]);
  expect(bytes.buffer.byteLength).toBe(5);
});

test("reads only the envelope's final line break for a request without a body", async () => {
  expect([...(await bytesOf(new Request('http://script.internal/v1'), 10))]).toEqual([13, 10]);
});
