import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { validate } from '../../../src/protocol/generated/validate-event.js';
import { createIntegration } from '../../../src/runtime/create-integration.js';
import { startSample, origin, integration } from '../emulator-under-test.js';

const echo = createIntegration({
  async fetch(request) {
    const body = new Uint8Array(await request.arrayBuffer());
    return Response.json({
      method: request.method,
      url: request.url,
      sent: request.headers.get('x-sent'),
      sha256: createHash('sha256').update(body).digest('hex'),
    });
  },
});

const base = '/v1/integrations/sample';
const sha256OfNothing = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

it.each([
  ['GET', `${base}/hello?x=1`],
  ['DELETE', `${base}/installations/installation_1/a/b`],
  ['PUT', `${base}/installations/installation_1/sites/site_local/a%2Fb`],
  ['OPTIONS', `${base}/installations/installation_1/spaces/space_local`],
  ['PROPFIND', base],
])('wraps %s %s in a fetch event', async (method, path) => {
  const { get } = await startSample(echo);
  const response = await get(path, { method, headers: { 'x-sent': 'yes' } });
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({
    method,
    url: `http://127.0.0.1:4100${path}`,
    sent: 'yes',
    sha256: sha256OfNothing,
  });
});

it.each(['', '/installations/installation_1', '/installations/installation_1/sites/site_local'])(
  'passes requests to the public content endpoint of "%j" to the script',
  async (place) => {
    const framed = createIntegration({
      fetch: async (request, { environment }) => {
        const { integration, installation, siteInstallation } = environment;
        const { urls } = siteInstallation ?? installation ?? integration;
        const content = (urls as { publicContentEndpoint?: string }).publicContentEndpoint ?? '';
        return Response.json([content, request.url]);
      },
    });
    const { get } = await startSample(framed);
    const [content] = (await (await get(`${base}${place}/x`)).json()) as [string];
    const [, url] = (await (await get(`${content.slice(origin.length)}/frame?v=1`)).json()) as string[];
    expect(url).toBe(`${content}/frame?v=1`);
  },
);

it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('sends no body for %s without one', async (method) => {
  const bare = createIntegration({
    fetch: async (request) => Response.json([request.body === null, ...request.headers.keys()]),
  });
  const { emulator } = await startSample(bare);
  // As Node's server gives it: a stream that ends at once.
  const body = new ReadableStream({ start: (controller) => controller.close() });
  const request = new Request(`${origin}${base}/x`, { method, body, duplex: 'half' } as RequestInit);
  expect(await (await emulator.fetch(request)).json()).toEqual([true]);
});

it('passes the installation for the request URL in the environment', async () => {
  const { get, calls } = await startSample(echo);
  await get(`${base}/installations/installation_1/sites/site_local/x`);
  const onSite = calls.at(-1);
  expect(onSite?.event).toMatchObject({ type: 'fetch', installationId: 'installation_1' });
  expect(onSite?.environment.installation?.id).toBe('installation_1');
  expect(onSite?.environment.siteInstallation).toMatchObject({ site: 'site_local', status: 'active' });
  expect(onSite?.environment.spaceInstallation).toBeUndefined();
});

it("selects the only installation, with the integration's URL as its endpoint", async () => {
  const { emulator, get, calls, happened } = await startSample(echo);
  await get(`${base}/x?y=1`);
  await get(`${base}/z`);
  expect(calls.at(-2)?.event).toMatchObject({
    installationId: 'installation_1',
    request: { url: `http://127.0.0.1:4100${base}/x?y=1` },
  });
  const { environment } = calls.at(-2) ?? {};
  expect(environment?.installation).toMatchObject({ id: 'installation_1', status: 'active' });
  expect(environment?.installation?.urls.publicEndpoint).toBe(`http://127.0.0.1:4100${base}`);
  expect(environment?.apiTokens.installation).toBeDefined();
  expect(emulator.environment({ installation: 'installation_1' })?.installation?.urls.publicEndpoint).toBe(
    `http://127.0.0.1:4100${base}/installations/installation_1`,
  );
  const warnings = happened.filter((event) => event.type === 'warning');
  expect(warnings).toMatchObject([{ code: 'integration-address' }]);
});

it('responds with 503 if the only installation is paused', async () => {
  const { emulator, get } = await startSample(echo);
  emulator.pause('installation_1');
  expect((await get(`${base}/x`)).status).toBe(503);
});

it('selects no installation if there are several', async () => {
  const { emulator, get, calls } = await startSample(echo, {
    integration: { ...integration, visibility: 'public' },
  });
  await emulator.install({ organization: 'org_other' });
  await get(`${base}/x`);
  expect(calls.at(-1)?.environment.installation).toBeUndefined();
  expect([validate(calls.at(-1)?.event), validate.errors]).toEqual([true, null]);
  expect(calls.at(-1)?.environment.integration.urls.publicEndpoint).toBe(`http://127.0.0.1:4100${base}`);
});

it('gives each site and space its own signing secret', async () => {
  const { get, calls } = await startSample(echo);
  const installation = `${base}/installations/installation_1`;
  for (const path of ['', '/sites/site_local', '/spaces/space_local']) await get(`${installation}${path}/x`);
  const secrets = calls.slice(-3).map(({ environment }) => environment.signingSecrets);
  expect(secrets.map((of) => Object.keys(of))).toEqual([
    ['integration', 'installation'],
    ['integration', 'installation', 'siteInstallation'],
    ['integration', 'installation', 'spaceInstallation'],
  ]);
  expect(new Set(secrets.flatMap((of) => Object.values(of))).size).toBe(4);
});

it('forwards the bytes of a body unchanged and records them', async () => {
  const { get, store, calls } = await startSample(echo);
  const body = new Uint8Array(300_000).map((_, index) => (index * 7) % 256);
  const response = await get(`${base}/binary`, { method: 'POST', body });
  const sha256 = createHash('sha256').update(body).digest('hex');
  expect(await response.json()).toMatchObject({ sha256 });
  const id = calls.at(-1)?.id ?? '';
  expect(store.callLog.get(id)).toMatchObject({ outcome: 'ok', requestBytes: 300_000, version: 1 });
  expect(Buffer.from(store.callLog.body(id, 'request') ?? []).equals(Buffer.from(body))).toBe(true);
  expect(Buffer.from(store.callLog.body(id, 'response') ?? []).toString()).toContain(sha256);
});

it('streams a response while the script generates it', async () => {
  const gate = manualGate();
  const script = createIntegration({
    async fetch() {
      const body = new ReadableStream<Uint8Array>({
        async start(controller) {
          controller.enqueue(new TextEncoder().encode('first '));
          await gate.promise;
          controller.enqueue(new TextEncoder().encode('second'));
          controller.close();
        },
      });
      return new Response(body);
    },
  });
  const { get, store, calls } = await startSample(script);
  const response = await get(`${base}/stream`);
  const reader = response.body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('first ');
  const id = calls.at(-1)?.id ?? '';
  expect(store.callLog.get(id)?.outcome).toBe('running');
  gate.resolve();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('second');
  expect((await reader?.read())?.done).toBe(true);
  expect(store.callLog.get(id)).toMatchObject({ outcome: 'ok', responseBytes: 12 });
});

it.each([
  ['/v1/integrations/other/x', 404],
  [`${base}/installations/nobody/x`, 404],
  [`${base}/installations/installation_1/sites/nowhere`, 404],
  ['/nothing', 404],
])('responds to %s with the status %i', async (path, status) => {
  const { get } = await startSample(echo);
  const response = await get(path);
  expect(response.status).toBe(status);
  expect(await response.json()).toEqual({ error: expect.any(String) });
});

it('responds with 503 while the installation is paused', async () => {
  const { emulator, get } = await startSample(echo);
  emulator.pause('installation_1');
  const paused = await get(`${base}/installations/installation_1/x`);
  expect(paused.status).toBe(503);
  expect(await paused.json()).toEqual({ error: 'The installation is paused.' });
  emulator.resume('installation_1');
  expect((await get(`${base}/installations/installation_1/x`)).status).toBe(200);
});

it('rejects a body over 100 MiB, with or without a declared length', async () => {
  const { get } = await startSample(echo);
  const declared = await get(base, { method: 'POST', body: 'x', headers: { 'content-length': '104857601' } });
  expect(declared.status).toBe(413);
  const mebibyte = new Uint8Array(1024 * 1024);
  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 1;
      controller.enqueue(mebibyte);
      if (sent > 100) controller.close();
    },
  });
  const init: RequestInit & { duplex: 'half' } = { method: 'POST', body: endless, duplex: 'half' };
  expect((await get(base, init)).status).toBe(413);
});

it('responds with 502 if the script cannot be reached, and records why', async () => {
  const gone = (): Promise<Response> => Promise.reject(new Error('the child is gone'));
  const { get, store } = await startSample(echo, { host: { call: gone, raw: gone } });
  const response = await get(base);
  expect(response.status).toBe(502);
  expect(store.callLog.list().at(-1)?.call).toMatchObject({
    outcome: 'failed',
    error: 'The script did not respond: the child is gone',
    response: { status: 502 },
  });
});

function manualGate(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}

it('notes that the built-in provider rejects a redirect before the call has ended', async () => {
  const query = 'response_type=code&client_id=c&redirect_uri=https%3A%2F%2Felsewhere.example.com%2F';
  const script = createIntegration({
    fetch: async () => Response.redirect(`https://provider.example.com/authorize?${query}`),
  });
  const { get, emulator } = await startSample(script, { oauthProvider: 'local' });
  const codes: (string | undefined)[] = [];
  emulator.subscribe((event) => {
    if (event.type === 'call-finished') codes.push(event.call.problems?.[0]?.code);
  });
  const { headers } = await get(`${base}/start`);
  expect(headers.get('location')).toBe(`http://127.0.0.1:41000/oauth/authorize?${query}`);
  expect(codes).toEqual(['authorization-rejected']);
});
