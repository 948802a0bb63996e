import { describe, expect, it } from 'vitest';
import { controlToken, createSample } from './support.js';

const tunnel = 'https://abc.tunnel.example.com';

describe('Host', () => {
  it.each([
    ['http://127.0.0.1:4100', '/healthz', 200],
    ['http://localhost:4100', '/healthz', 200],
    ['http://[::1]:4100', '/healthz', 200],
    ['http://127.0.0.1:4101', '/healthz', 403],
    ['http://127.0.0.1', '/healthz', 403],
    ['http://evil.example.com', '/healthz', 403],
    ['http://evil.example.com', '/v1/integrations/sample/x', 403],
    ['http://127.0.0.1.evil.example.com:4100', '/v1', 403],
    ['http://abc.tunnel.example.com', '/v1/integrations/sample/x', 200],
    ['http://abc.tunnel.example.com', '/healthz', 403],
    ['http://abc.tunnel.example.com', '/v1', 403],
    ['http://abc.tunnel.example.com', '/api/v1/integrations/sample', 403],
    ['http://abc.tunnel.example.com', '/oauth/authorize', 403],
    ['http://abc.tunnel.example.com', '/console/api/overview', 403],
    ['http://abc.tunnel.example.com', '/', 403],
  ])('%s%s answers %i', async (host, path, status) => {
    const { emulator, get } = createSample(undefined, { publicUrl: tunnel });
    await emulator.start();
    expect((await get(host + path)).status).toBe(status);
  });
});

describe('Origin', () => {
  it.each([
    ['POST', '/v1', 403],
    ['POST', '/api/v1/integrations/sample/tasks', 403],
    ['POST', '/oauth/authorize', 403],
    ['POST', '/oauth/token', 403],
    ['POST', '/console/api/events', 403],
    ['GET', '/console', 403],
    ['POST', '/v1/integrations/sample/x', 200],
  ])('a page of another site gets: %s %s %i', async (method, path, status) => {
    const { emulator, get, happened, calls } = createSample();
    await emulator.start();
    const before = [happened.length, calls.length];
    for (const from of ['https://evil.example.com', 'null', 'http://127.0.0.1:4101']) {
      const headers = { origin: from, 'x-platform-token': controlToken };
      const response = await get(path, { method, headers });
      expect(response.status).toBe(status);
      expect(response.headers.get('access-control-allow-origin')).toBeNull();
    }
    // Refused, and without effect.
    if (status === 403) expect([happened.length, calls.length]).toEqual(before);
  });
});

describe('a refusal', () => {
  const path = '/api/v1/integrations/sample';
  it.each([
    ['another host', 'http://evil.example.com', {}],
    ['another origin', 'http://127.0.0.1:4100', { origin: 'https://evil.example.com' }],
  ])('of %s has the shape of the API under /api, and the plain one elsewhere', async (_, host, headers) => {
    const { emulator, get } = createSample();
    await emulator.start();
    const [api, plain] = [await get(host + path, { headers }), await get(`${host}/oauth/token`, { headers })];
    const message: unknown = expect.any(String);
    expect([api.status, await api.json()]).toEqual([403, { error: { code: 403, message } }]);
    expect([plain.status, await plain.json()]).toEqual([403, { error: message }]);
  });
});

describe('a public address', () => {
  it('stands in every url of the environment, and in the request', async () => {
    const { emulator, get, calls } = createSample(undefined, { publicUrl: tunnel });
    await emulator.start();
    await get('/v1/integrations/sample/installations/installation_1/sites/site_local/x?y=1');
    const { event, environment } = calls.at(-1) ?? {};
    expect(event).toMatchObject({
      request: {
        url: `${tunnel}/v1/integrations/sample/installations/installation_1/sites/site_local/x?y=1`,
      },
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
});
