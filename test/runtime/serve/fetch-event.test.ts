import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createIntegration } from '../../../src/runtime/index.js';
import { envelopeRequest } from '../../support/envelope-request.js';

const url = 'https://public.example/v1/integrations/demo/hook?a=1&a=2#top';
const fetchEvent = (method: string, headers: Record<string, string> = {}) => ({
  type: 'fetch',
  request: { url, method, headers },
});

/** Returns the request that the author's handler receives as JSON. */
const mirror = createIntegration({
  fetch: async (request) => {
    const hasBody = request.body !== null;
    const bytes = [...new Uint8Array(await request.arrayBuffer())];
    return Response.json({
      url: request.url,
      method: request.method,
      headers: Object.fromEntries(request.headers),
      body: hasBody ? bytes : null,
    });
  },
});

beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined));
afterEach(() => vi.restoreAllMocks());

test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'])(
  'passes on a %s',
  async (method) => {
    const headers = { host: 'public.example', cookie: 'a=b', 'x-many': '1, 2', 'content-length': '0' };
    const response = await mirror.fetch(envelopeRequest(fetchEvent(method, headers)));
    expect(await response.json()).toEqual({ url, method, headers, body: null });
  },
);

test.each([
  ['text', 'plain', [112, 108, 97, 105, 110]],
  ['bytes that are not text', new Uint8Array([0, 255, 254, 13, 10, 45, 45]), [0, 255, 254, 13, 10, 45, 45]],
  ['an empty body', '', []],
])('passes the request body to the handler unchanged: %s', async (_, body, bytes) => {
  const headers = { 'content-type': 'application/x-test' };
  const response = await mirror.fetch(envelopeRequest(fetchEvent('POST', headers), { body }));
  expect(await response.json()).toEqual({ url, method: 'POST', headers, body: bytes });
});

test('adds no content type to a request if the event has none', async () => {
  const response = await mirror.fetch(envelopeRequest(fetchEvent('POST'), { body: '' }));
  expect(await response.json()).toEqual({ url, method: 'POST', headers: {}, body: [] });
});

test('passes a large body to the handler', async () => {
  const body = Uint8Array.from({ length: 3_000_001 }, (_, i) => (i * 31) % 256);
  const script = createIntegration({
    fetch: async (request) => {
      const copy = request.clone();
      const bytes = Buffer.from(await request.arrayBuffer());
      return Response.json([Buffer.compare(bytes, body), (await copy.arrayBuffer()).byteLength]);
    },
  });
  const response = await script.fetch(envelopeRequest(fetchEvent('POST'), { body }));
  expect(await response.json()).toEqual([0, 3_000_001]);
});

test('lets a handler clone a request before reading its large body', async () => {
  const body = new Uint8Array(3_000_001).fill(7);
  const script = createIntegration({
    fetch: async (request) => {
      const copy = request.clone();
      const sizes = [(await copy.arrayBuffer()).byteLength, (await request.arrayBuffer()).byteLength];
      const again = await request.arrayBuffer().catch((error: Error) => error.name);
      return Response.json([...sizes, request.bodyUsed, again]);
    },
  });
  const response = await script.fetch(envelopeRequest(fetchEvent('POST'), { body }));
  expect(await response.json()).toEqual([3_000_001, 3_000_001, true, 'TypeError']);
});

test('passes no body to the handler if a GET request has an empty one', async () => {
  const response = await mirror.fetch(envelopeRequest(fetchEvent('GET'), { body: '' }));
  expect(await response.json()).toMatchObject({ method: 'GET', body: null });
});

test.each(['HEAD', 'head'])('passes a HEAD request to the handler if the event has %s', async (method) => {
  const script = createIntegration({
    fetch: async (request) => new Response(null, { headers: { 'x-method': request.method } }),
  });
  const response = await script.fetch(envelopeRequest(fetchEvent(method)));
  expect([response.status, response.headers.get('x-method')]).toEqual([200, 'HEAD']);
});

test.each([
  ['TRACE', fetchEvent('TRACE'), undefined, 'TRACE'],
  ['CONNECT', fetchEvent('CONNECT'), undefined, 'CONNECT'],
  ['a method with a space', fetchEvent('GET IT'), undefined, 'GET IT'],
  ['GET with a body', fetchEvent('GET'), 'x', 'body'],
  ['no request', { type: 'fetch' }, undefined, 'undefined'],
  ['a relative URL', { type: 'fetch', request: { url: '/x', method: 'GET', headers: {} } }, undefined, ''],
  ['a header with a line break', fetchEvent('GET', { a: '1\n2' }), undefined, ''],
])('rejects a fetch event with %s', async (_, event, body, why) => {
  const response = await mirror.fetch(envelopeRequest(event, body === undefined ? {} : { body }));
  expect(response.status).toBe(400);
  const { error } = (await response.json()) as { error: string };
  const [, reason] = /^The field "event" is not a valid request \((.+)\)\.$/s.exec(error) ?? [];
  expect(reason).toContain(why);
});

test("returns the handler's own response object, streamed unchanged", async () => {
  const answer = new Response(new ReadableStream(), { status: 299, headers: { 'x-a': '1' } });
  const script = createIntegration({ fetch: async () => answer });
  expect(await script.fetch(envelopeRequest(fetchEvent('GET')))).toBe(answer);
});
