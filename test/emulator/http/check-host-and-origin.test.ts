import { expect, it } from 'vitest';
import { forwardingHeaders } from '../../support/forwarding-headers.js';
import { consoleOrigin, controlToken, createSample, startSample, origin } from '../emulator-under-test.js';

const tunnel = 'https://abc.tunnel.example.com';
const publicPath = '/v1/integrations/sample/x';

it.each([
  [origin, '/healthz', 200],
  ['http://localhost:4100', '/healthz', 200],
  ['http://[::1]:4100', '/healthz', 200],
  ['http://127.0.0.1:4101', '/healthz', 403],
  ['http://127.0.0.1', '/healthz', 403],
  ['http://evil.example.com', '/healthz', 403],
  ['http://evil.example.com', publicPath, 403],
  ['http://127.0.0.1.evil.example.com:4100', '/v1', 403],
  ['http://abc.tunnel.example.com', publicPath, 200],
  ['http://abc.tunnel.example.com', '/healthz', 403],
  ['http://abc.tunnel.example.com', '/v1', 403],
  ['http://abc.tunnel.example.com', '/api/v1/integrations/sample', 403],
  ['http://abc.tunnel.example.com', '/', 403],
  [origin, '/oauth/authorize', 404],
  [origin, '/console/', 404],
  [origin, '/console/api/overview', 404],
])('checks the Host header of a public request: %s%s returns %i', async (host, path, status) => {
  const { emulator } = await startSample(undefined, { publicUrl: tunnel });
  const headers = { 'x-platform-token': controlToken };
  expect((await emulator.fetch(new Request(host + path, { headers }))).status).toBe(status);
});

it.each([
  [consoleOrigin, 200],
  ['http://localhost:41000', 403],
  ['http://[::1]:41000', 403],
  ['http://127.0.0.1', 403],
  [origin, 403],
  ['http://evil.example.com', 403],
  ['http://abc.tunnel.example.com', 403],
])('checks the Host header of a console request: %s returns %i', async (host, status) => {
  const { emulator } = createSample(undefined, { publicUrl: tunnel });
  const headers = { 'x-platform-token': controlToken };
  const response = await emulator.fetchConsole(new Request(`${host}/console/api/overview`, { headers }));
  expect(response.status).toBe(status);
});

it.each(forwardingHeaders)('lets a request with %s reach only public endpoints', async (header) => {
  const { get, calls } = await startSample();
  const headers = { [header]: '203.0.113.7', 'x-platform-token': controlToken };
  expect((await get(publicPath, { headers })).status).toBe(200);
  const { length } = calls;
  for (const path of ['/v1', '/v2', '/api/v1/integrations/sample', '/healthz', '/'])
    expect([path, (await get(path, { headers })).status]).toEqual([path, 403]);
  for (const path of ['/console/', '/console/api/overview', '/console/assets/icon', '/oauth/authorize'])
    expect([path, (await get(path, { headers })).status]).toEqual([path, 403]);
  expect(calls.length).toBe(length);
});

it.each([
  ['without a tunnel', {}, {}, 200],
  ['with a tunnel but without the key', { publicUrl: tunnel }, {}, 401],
  ['with a tunnel and a wrong key', { publicUrl: tunnel }, { 'x-platform-token': 'wrong' }, 401],
  ['with a tunnel and the key', { publicUrl: tunnel }, { 'x-platform-token': controlToken }, 200],
])("checks an envelope's key %s", async (_, options, headers, status) => {
  const { get } = createSample(undefined, options);
  expect((await get('/v1', { method: 'POST', headers })).status).toBe(status);
});

it.each([
  ['POST', '/v1', 403],
  ['POST', '/api/v1/integrations/sample/tasks', 403],
  ['POST', '/oauth/authorize', 403],
  ['POST', '/oauth/token', 403],
  ['POST', '/console/api/events', 403],
  ['GET', '/console', 403],
  ['POST', publicPath, 200],
])("checks the Origin of a request from another site's page: %s %s: %i", async (method, path, status) => {
  const { get, happened, calls } = await startSample();
  const before = [happened.length, calls.length];
  const other = path.startsWith('/v1') || path.startsWith('/api') ? consoleOrigin : origin;
  for (const from of ['https://evil.example.com', 'null', 'http://127.0.0.1:4101', other]) {
    const headers = { origin: from, 'x-platform-token': controlToken };
    const response = await get(path, { method, headers });
    expect(response.status).toBe(status);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  }
  // Refused, and without effect.
  if (status === 403) expect([happened.length, calls.length]).toEqual(before);
});

it.each([
  ['GET', '/v1', { 'sec-fetch-site': 'cross-site' }, 403],
  // The same host on another port: its pages are strangers too.
  ['GET', '/v1', { 'sec-fetch-site': 'same-site' }, 403],
  ['POST', '/v1', { 'sec-fetch-site': 'same-origin' }, 200],
  ['GET', '/v1', { 'sec-fetch-site': 'none' }, 200],
  ['GET', '/api/v1/integrations/sample', { 'sec-fetch-site': 'cross-site' }, 403],
  ['GET', '/console/api/overview', { 'sec-fetch-site': 'cross-site' }, 403],
  ['GET', '/console/api/overview', { 'sec-fetch-site': 'same-site' }, 403],
  ['POST', '/oauth/token', { 'sec-fetch-site': 'same-origin' }, 403],
  ['POST', '/oauth/authorize', {}, 403],
  ['POST', '/oauth/authorize', { origin: consoleOrigin }, 400],
  ['GET', publicPath, { 'sec-fetch-site': 'cross-site' }, 200],
])(
  'checks a browser request without Origin: %s %s with %j returns %i',
  async (method, path, extra, status) => {
    const { get } = await startSample();
    const headers = { ...extra, 'x-platform-token': controlToken };
    expect((await get(path, { method, headers })).status).toBe(status);
  },
);

const path = '/api/v1/integrations/sample';
it.each([
  ['another host', 'http://evil.example.com', {}],
  ['another origin', origin, { origin: 'https://evil.example.com' }],
])("rejects %s in the API's format under /api and as text elsewhere", async (_, host, headers) => {
  const { get } = await startSample();
  const [api, plain] = [await get(host + path, { headers }), await get(`${host}/v1`, { headers })];
  const message: unknown = expect.any(String);
  expect([api.status, await api.json()]).toEqual([403, { error: { code: 403, message } }]);
  expect([plain.status, await plain.json()]).toEqual([403, { error: message }]);
});

it('explains in plain text on the public port how to open the console', async () => {
  const response = await createSample().get('/');
  expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
  const text = await response.text();
  expect(text).toContain('platform open');
  expect(text).not.toContain(controlToken);
});

it('uses the public URL in the request and in every URL in the environment', async () => {
  const { get, calls } = await startSample(undefined, { publicUrl: tunnel });
  await get('/v1/integrations/sample/installations/installation_1/sites/site_local/x?y=1');
  const { event, environment } = calls.at(-1) ?? {};
  expect(event).toMatchObject({
    request: { url: `${tunnel}/v1/integrations/sample/installations/installation_1/sites/site_local/x?y=1` },
  });
  expect(environment?.integration.urls.publicEndpoint).toBe(`${tunnel}/v1/integrations/sample`);
  expect(environment?.installation?.urls.publicEndpoint).toBe(
    `${tunnel}/v1/integrations/sample/installations/installation_1`,
  );
  expect(environment?.siteInstallation?.urls.publicEndpoint).toBe(
    `${tunnel}/v1/integrations/sample/installations/installation_1/sites/site_local`,
  );
  expect(environment?.apiEndpoint).toBe('http://127.0.0.1:4100/api');
});
