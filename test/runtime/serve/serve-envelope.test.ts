import { expect, test } from 'vitest';
import { createIntegration } from '../../../src/runtime/index.js';
import { envelopeRequest, summary } from '../../support/envelope-request.js';

const multipart = { 'content-type': 'multipart/form-data; boundary=B' };
const part = (name: string, value: string): string =>
  `--B\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const end = '--B--';
const good = part('event', '{"type":"task"}') + part('environment', '{}');

test.each([
  ['a JSON content type', { 'content-type': 'application/json' }, '{}', 400, 'content-type'],
  ['no event', multipart, part('environment', '{}') + end, 400, 'event'],
  ['no environment', multipart, part('event', '{"type":"task"}') + end, 400, 'environment'],
  ['a duplicate field', multipart, good + part('event', '{"type":"task"}') + end, 400, 'event'],
  ['invalid JSON', multipart, part('event', '{') + part('environment', '{}') + end, 400, 'event'],
  ['an event without a type', multipart, part('event', '{}') + part('environment', '{}') + end, 400, 'event'],
  ['no closing boundary', multipart, good, 400, 'body'],
  ['an event over 1 MiB', multipart, part('event', 'x'.repeat(1_048_577)) + end, 413, 'event'],
])("does not call the author's code for an envelope with %s", async (_, headers, body, status, field) => {
  let reached = false;
  const script = createIntegration({ task: () => void (reached = true) });
  const response = await script.fetch(
    new Request('http://script.internal/v1', { method: 'POST', headers, body }),
  );
  expect(response.status).toBe(status);
  expect(await response.json()).toEqual({ error: expect.stringContaining(`The field "${field}" `) });
  expect(reached).toBe(false);
});

test("calls the author's code for a complete envelope with an empty environment", async () => {
  const script = createIntegration({ task: () => undefined });
  const body = good + end;
  const request = new Request('http://script.internal/v1', { method: 'POST', headers: multipart, body });
  expect(await summary(await script.fetch(request))).toEqual([200, 'OK']);
});

const script = createIntegration({ task: () => undefined });

test.each(['GET', 'PUT', 'DELETE', 'HEAD', 'OPTIONS'])('responds to %s with 405', async (method) => {
  const response = await script.fetch(new Request('http://script.internal/v1', { method }));
  expect(response.status).toBe(405);
  expect(response.headers.get('allow')).toBe('POST');
  expect(await response.text()).toBe('Method not allowed');
});

test.each(['/v2', '/v10', '/', '/v1/', '/V1'])('responds to %s with 400 and the version', async (path) => {
  const answer = await summary(await script.fetch(envelopeRequest({ type: 'task' }, { path })));
  const version = path.slice(1);
  expect(answer).toEqual([400, `{"error":"Version \\"${version}\\" is not supported. Use v1."}`]);
});

test("ignores the query string in the envelope's URL", async () => {
  expect((await script.fetch(envelopeRequest({ type: 'task' }, { path: '/v1?trace=1' }))).status).toBe(200);
});
