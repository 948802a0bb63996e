import { expect, it } from 'vitest';
import { systemClock } from '../../../src/base/clock.js';
import { createMemoryStore } from '../../../src/store/store.js';
import { configured, createControlled } from '../http/controlled.js';
import {
  consoleOrigin,
  controlToken,
  startSample,
  origin as publicOrigin,
  type Sample,
} from '../emulator-under-test.js';

it.each([
  ['no token', {}, 401],
  ['a wrong token', { 'x-platform-token': 'wrong' }, 401],
  ['a truncated token', { 'x-platform-token': controlToken.slice(0, -1) }, 401],
  ['the right token', { 'x-platform-token': controlToken }, 200],
  ['the token as a bearer token', { authorization: `Bearer ${controlToken}` }, 401],
  ['a foreign origin', { 'x-platform-token': controlToken, origin: 'https://evil.example.com' }, 403],
  ["the token from the console's origin", { 'x-platform-token': controlToken, origin: consoleOrigin }, 200],
  ['the token from the public port', { 'x-platform-token': controlToken, origin: publicOrigin }, 403],
  ['the token from another port', { 'x-platform-token': controlToken, 'sec-fetch-site': 'same-site' }, 403],
])('checks the token and origin of a request: %s', async (_, headers, status) => {
  const { get } = await createControlled();
  expect((await get('/console/api/overview', { headers })).status).toBe(status);
});

it('rejects every change without a token', async () => {
  const { get, control } = await createControlled();
  const refused = await get('/console/api/installations/installation_1', { method: 'DELETE' });
  expect(refused.status).toBe(401);
  expect((await control('GET', '/installations/installation_1')).status).toBe(200);
});

it('shows the name of every secret in the overview, but never its value', async () => {
  const { control } = await createControlled();
  const { body } = await control('GET', '/overview');
  expect(body).toMatchObject({
    integration: { name: 'sample', secrets: ['KEY'] },
    version: 1,
    urls: { publicEndpoint: 'http://127.0.0.1:4100/v1/integrations/sample' },
    settings: { scopes: 'warn', oauth: 'ask', oauthProvider: 'real', platformVersion: '1.0.0' },
    installations: [
      {
        id: 'installation_1',
        status: 'pending',
        problems: [{ property: 'key', message: 'It is required, but not set.' }],
        sites: [{ site: 'site_local', status: 'active', problems: [] }],
        spaces: [{ space: 'space_local' }],
      },
    ],
  });
  expect(JSON.stringify(body)).not.toContain('canary-secret');
});

it("lists the session's problems with their positions", async () => {
  const listing = { summary: { errors: 0, warnings: 0, infos: 0 }, diagnostics: [], checks: [] };
  const checked = await createControlled({ listing: () => listing });
  expect((await checked.control('GET', '/listing')).body).toEqual(listing);
  const { control } = await createControlled();
  expect((await control('GET', '/listing')).status).toBe(404);
});

it('reads and edits a configuration, and sends an event for each edit', async () => {
  const { control } = await createControlled();
  const edit = { set: { key: 'k', retries: '4' } };
  expect(await control('PATCH', '/configuration', edit)).toMatchObject({
    status: 200,
    body: {
      status: 'active',
      configuration: { key: 'k', retries: 4 },
      fired: { outcome: 'ok', event: { type: 'installation_setup', status: 'active' } },
    },
  });
  await control('PATCH', '/configuration', { site: 'site_local', set: { colour: 'red' } });
  const { body } = await control('GET', '/configuration?site=site_local');
  expect(body).toMatchObject({
    target: { installation: 'installation_1', site: 'site_local' },
    configuration: { colour: 'red' },
  });
});

it.each([
  [{ set: { kye: 1 } }, 400, { path: 'kye', known: ['key', 'team', 'retries'] }],
  [{ set: 'x' }, 400, { path: 'set' }],
  [{ unset: 'x' }, 400, { path: 'unset' }],
  [{ site: 'nowhere', set: {} }, 404, {}],
  [{ installation: 'nobody', set: {} }, 404, {}],
])('rejects the edit %j', async (edit, status, details) => {
  const { control } = await createControlled();
  expect(await control('PATCH', '/configuration', edit)).toMatchObject({
    status,
    body: { error: expect.any(String), code: expect.any(String), ...details },
  });
});

it('asks the integration for the options of a property', async () => {
  const { control } = await createControlled();
  expect(await control('GET', '/options?property=team&q=docs')).toEqual({
    status: 200,
    body: [
      { id: 'a', label: 'a' },
      { id: 'b', label: 'docs' },
    ],
  });
  const from = (path: string): string =>
    encodeURIComponent(`http://127.0.0.1:4100/v1/integrations/sample/installations/installation_1${path}`);
  expect((await control('GET', `/options?url=${from('/paged')}`)).body).toEqual([
    { id: 'chosen', label: 'chosen' },
    { id: 'other', label: 'other', icon: 'https://x.test/a.png' },
  ]);
  expect(await control('GET', `/options?url=${from('/bad')}`)).toMatchObject({
    status: 502,
    body: { code: 'no-options' },
  });
  for (const [path, why] of [
    ['/refused', 'responded with 401: Connect first.'],
    ['/page', 'responded with 500.'],
  ] as const)
    expect(await control('GET', `/options?url=${from(path)}`)).toMatchObject({
      status: 502,
      body: { error: expect.stringContaining(why) },
    });
  expect((await control('GET', '/options?property=key')).status).toBe(400);
  expect((await control('GET', '/options?url=https%3A%2F%2Fevil.example.com')).status).toBe(400);
});

it('renders a component, and stores the props of a block', async () => {
  const { control } = await createControlled();
  expect((await control('POST', '/render', { component: 'nothing' })).body).toMatchObject({
    type: 'error',
    status: 404,
  });
  expect((await control('POST', '/render', { component: 'x', action: {} })).status).toBe(400);
  const block = await control<{ id: string }>('POST', '/blocks', { component: 'counter', props: { a: 1 } });
  expect((await control('GET', '/blocks')).body).toEqual([
    { id: block.body.id, component: 'counter', props: { a: 1 }, installation: 'installation_1' },
  ]);
  expect((await control('DELETE', `/blocks/${block.body.id}`)).status).toBe(204);
  expect((await control('GET', '/blocks')).body).toEqual([]);
});

it("keeps an installation's blocks after the installation is removed from a space, but not after it is uninstalled", async () => {
  const { control } = await createControlled();
  const insert = (space?: string) =>
    control<{ id: string }>('POST', '/blocks', { component: 'counter', ...(space && { space }) });
  const [own, inSpace] = [await insert(), await insert('space_local')];
  await control('DELETE', '/installations/installation_1/spaces/space_local');
  expect((await control('GET', '/blocks')).body).toMatchObject([own.body, inSpace.body]);
  await control('DELETE', '/installations/installation_1');
  expect((await control('GET', '/blocks')).body).toEqual([]);
});

it('lists, reads and filters calls', async () => {
  const { control, get } = await createControlled();
  const hook = '/v1/integrations/sample/installations/installation_1/hook';
  await (await get(hook, { method: 'POST', body: 'signed payload' })).text();
  type Line = { id: string; position: number; type: string; status: number };
  const { body } = await control<Line[]>('GET', '/calls?type=fetch');
  expect(body).toMatchObject([
    { type: 'fetch', method: 'POST', status: 200, outcome: 'ok', requestBytes: 14 },
  ]);
  const { id = '', position = 0 } = body[0] ?? {};
  expect((await control('GET', `/calls/${id}`)).body).toMatchObject({
    event: { type: 'fetch' },
    environment: { installation: { id: 'installation_1' } },
  });
  const request = await get(`/console/api/calls/${id}/request-body`, {
    headers: { 'x-platform-token': controlToken },
  });
  expect(await request.text()).toBe('signed payload');
  expect(request.headers.get('content-type')).toBe('application/octet-stream');
  expect((await control('GET', `/calls?after=${position}`)).body).toEqual([]);
  expect((await control('GET', '/calls?limit=x')).status).toBe(400);
  expect((await control<Line[]>('GET', '/calls?type=fetch&ids=')).body).toEqual(body);
  expect((await control('GET', '/calls/call_none')).status).toBe(404);
  expect((await control('GET', '/calls/call_none/response-body')).status).toBe(404);
});

it('shows what changed when a call is replayed with the current code', async () => {
  const { control, get, emulator } = await createControlled();
  const path = '/v1/integrations/sample/installations/installation_1/hook';
  await (await get(path, { method: 'POST', body: 'payload' })).text();
  const [line] = (await control<{ id: string }[]>('GET', '/calls?type=fetch')).body;
  const unchanged = await control('POST', `/calls/${line?.id}/replay`);
  expect(unchanged.body).toMatchObject({ same: true, masked: false });
  emulator.reload({ ...configured, title: 'Renamed' }, 'second build');
  expect((await control('POST', `/calls/${line?.id}/replay`)).body).toMatchObject({
    same: false,
    before: { version: 1, status: 200, body: { content: '{"version":1,"got":"payload"}' } },
    after: { version: 2, status: 200, body: { content: '{"version":2,"got":"payload"}' } },
  });
  expect((await control('POST', '/calls/call_none/replay')).status).toBe(404);
});

it('reports an interrupted response as an error of the script, not of the platform', async () => {
  let whole = true;
  const breaking = (): ReadableStream =>
    new ReadableStream({ pull: (controller) => controller.error(new Error('gone')) });
  const { control, get } = await startSample(
    { fetch: async () => new Response(whole ? '[]' : breaking()) },
    { integration: configured },
  );
  await (await get('/v1/integrations/sample/installations/installation_1/x')).text();
  const [line] = (await control<{ id: string }[]>('GET', '/calls?type=fetch')).body;
  whole = false;
  expect(await control('POST', `/calls/${line?.id}/replay`)).toMatchObject({
    status: 502,
    body: { code: 'cut-short', call: expect.stringMatching(/^call_/) },
  });
  expect(await control('GET', '/options?property=team')).toMatchObject({
    status: 502,
    body: { code: 'no-options' },
  });
});

it('increments the version for a changed build, but not for a restart', async () => {
  const store = createMemoryStore(systemClock);
  const versionOf = async ({ control }: Sample): Promise<number> =>
    (await control<{ version: number }>('GET', '/overview')).body.version;
  const first = await createControlled({ store, build: 'a' });
  expect(await versionOf(first)).toBe(1);
  first.emulator.reload(configured, 'b');
  expect(await versionOf(first)).toBe(2);
  const second = await createControlled({ store, build: 'b' });
  expect(await versionOf(second)).toBe(2);
  const third = await createControlled({ store, build: 'c' });
  expect(await versionOf(third)).toBe(3);
});

it('restores installations and configurations from a saved state', async () => {
  const { control, calls, get, emulator } = await createControlled();
  await control('PATCH', '/configuration', { set: { key: 'saved' } });
  expect((await control('PUT', '/snapshots/good')).status).toBe(204);
  await control('PATCH', '/configuration', { set: { key: 'changed' } });
  emulator.reload(configured, 'newer');
  emulator.reload(configured, 'newest');
  await control('DELETE', '/installations/installation_1');
  const before = calls.length;
  expect((await control('POST', '/snapshots/good/load')).status).toBe(204);
  expect(calls.length).toBe(before);
  await get('/v1/integrations/sample/installations/installation_1/x');
  expect(calls.at(-1)?.environment).toMatchObject({
    integration: { version: 3 },
    installation: { status: 'active', configuration: { key: 'saved' } },
  });
  expect((await control('GET', '/snapshots')).body).toMatchObject([{ name: 'good' }]);
  expect((await control('POST', '/snapshots/none/load')).status).toBe(404);
  expect((await control('DELETE', '/snapshots/good')).status).toBe(204);
  expect((await control('PUT', '/snapshots/..%2Fx')).status).toBe(400);
});

it('describes the console API in the OpenAPI document, with a unique id for each operation', async () => {
  const { control } = await createControlled();
  type Document = { openapi: string; paths: Record<string, Record<string, { operationId: string }>> };
  const { body } = await control<Document>('GET', '/openapi.json');
  expect(body.openapi).toBe('3.1.0');
  const operations = Object.values(body.paths).flatMap((path) => Object.values(path));
  const ids = operations.map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toContain('postEvents');
  expect(Object.keys(body.paths)).toContain('/calls/{call}/replay');
  expect((await control('GET', '/nothing')).status).toBe(404);
});

it('marks a call that never ended as failed', async () => {
  const store = createMemoryStore(systemClock);
  let begin = (): void => {};
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const never = (): Promise<Response> => {
    begin();
    return new Promise(() => {});
  };
  const killed = await createControlled({ store, host: { call: never, raw: never }, noInstall: true });
  void killed.get('/v1/integrations/sample/x');
  await begun;
  expect((await killed.control('GET', '/calls')).body).toMatchObject([{ outcome: 'running' }]);
  const next = await createControlled({ store, noInstall: true });
  expect((await next.control('GET', '/calls')).body).toMatchObject([
    { outcome: 'failed', error: 'The platform stopped during this call.' },
  ]);
});
