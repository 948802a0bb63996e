import { expect, test } from 'vitest';
import { createWholeResponse, wholeBody } from '../../../src/sandbox/wire/whole-response.js';

const text = JSON.stringify({ a: 1 });
const bytes = new TextEncoder().encode(text);
const make = (): Response =>
  createWholeResponse(bytes, { status: 201, headers: { 'content-type': 'application/json' } });

test('provides the bytes of a response, and lets its body be read only once', async () => {
  const response = make();
  expect(wholeBody(response)).toBe(bytes);
  expect(wholeBody(new Response(text))).toBeUndefined();
  expect(response.bodyUsed).toBe(false);
  expect(await response.text()).toBe(text);
  expect(response.bodyUsed).toBe(true);
  await expect(response.text()).rejects.toThrow(TypeError);
});

test.each<[string, (response: Response) => Promise<unknown>, unknown]>([
  ['json', (response) => response.json(), { a: 1 }],
  ['arrayBuffer', async (response) => new Uint8Array(await response.arrayBuffer()), bytes],
  ['bytes', (response) => response.bytes(), bytes],
  ['blob', async (response) => (await response.blob()).type, 'application/json'],
  ['body', async (response) => new Response(response.body).text(), text],
  ['clone', async (response) => [response.clone().status, await response.clone().text()], [201, text]],
])('a whole response returns the same value for %s as any other response', async (_, read, expected) => {
  expect(await read(make())).toEqual(expected);
});
