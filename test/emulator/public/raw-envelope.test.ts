import { expect, it } from 'vitest';
import { createIntegration } from '../../../src/runtime/create-integration.js';
import { startSample } from '../emulator-under-test.js';

const quiet = async (): Promise<void> => {};
const script = createIntegration({
  async fetch(request, { environment }) {
    return Response.json([request.url, await request.text(), environment.integration.name]);
  },
  events: { installation_setup: quiet, space_installation_setup: quiet, site_installation_setup: quiet },
});

function envelope(): FormData {
  const form = new FormData();
  const request = { url: 'https://made.example.com/by-hand', method: 'POST', headers: {} };
  form.set('event', JSON.stringify({ eventId: 'evt_1', type: 'fetch', installationId: 'i', request }));
  form.set('environment', JSON.stringify({ integration: { name: 'by hand' }, apiTokens: {}, secrets: {} }));
  form.set('fetch-body', new Blob(['the body']), 'body');
  return form;
}

it('records a handwritten envelope and passes it to the script', async () => {
  const { get, store } = await startSample(script);
  const response = await get('/v1', { method: 'POST', body: envelope() });
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual(['https://made.example.com/by-hand', 'the body', 'by hand']);
  const { call: entry } = store.callLog.list().at(-1) ?? {};
  expect(entry).toMatchObject({ source: 'request', outcome: 'ok', request: { method: 'POST' } });
  expect(Buffer.from(store.callLog.body(entry?.id ?? '', 'request') ?? []).toString()).toContain('the body');
});

it.each([
  ['POST', '/v2', 400],
  ['POST', '/v10', 400],
  ['GET', '/v1', 405],
  ['POST', '/v', 404],
  ['POST', '/v1x', 404],
])('rejects an envelope sent with %s to %s: %i', async (method, path, status) => {
  const { get } = await startSample(script);
  const body = method === 'GET' ? {} : { body: envelope() };
  expect((await get(path, { method, ...body })).status).toBe(status);
});

it.each([
  [101, 200],
  [104, 413],
])('responds to an envelope of %i MiB with %i, so that a body of 100 MiB fits', async (mebibytes, status) => {
  const { get } = await startSample(script);
  const headers = { 'content-length': String(mebibytes * 1024 * 1024) };
  expect((await get('/v1', { method: 'POST', headers, body: envelope() })).status).toBe(status);
});

it('explains why it rejects an invalid envelope', async () => {
  const { get } = await startSample(script);
  const response = await get('/v1', { method: 'POST', body: 'no envelope' });
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({ error: expect.any(String) });
});
