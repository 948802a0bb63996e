import { expect, it } from 'vitest';
import type { Integration } from '../../../src/protocol/integration.js';
import { createIntegration } from '../../../src/runtime/create-integration.js';
import { createCalled, shared } from '../calls/called.js';
import { startSample } from '../emulator-under-test.js';

const one = '/integrations/sample/installations/installation_1';
const two = '/integrations/sample/installations/installation_2';

it.each([
  ['', '/integrations/sample', 401],
  ['wrong', '/integrations/sample', 401],
  ['first', two, 403],
  ['second', `${one}/spaces/space_local`, 403],
  ['second', '/spaces/space_local', 403],
  ['second', '/orgs/org_local/sites/site_local', 403],
  ['integration', '/integrations/other', 404],
  ['integration', '/integrations/sample/installations/installation_9', 404],
  ['integration', '/spaces/nowhere', 404],
])('with the token "%s", a request for %s returns %i', async (name, path, status) => {
  const { call, tokens } = await createCalled();
  const token = name in tokens ? tokens[name as keyof typeof tokens] : name;
  expect(await call('GET', path, { token })).toEqual({
    status,
    body: { error: { code: status, message: expect.any(String) } },
  });
});

it('rejects changes with the token of another installation', async () => {
  const { call, tokens } = await createCalled();
  const body = { configuration: { key: 'stolen' } };
  expect((await call('PATCH', one, { token: tokens.second, body })).status).toBe(403);
  expect((await call('GET', one)).body).toMatchObject({ configuration: {} });
});

it.each([
  ['first', ['installation_1']],
  ['integration', ['installation_1', 'installation_2']],
] as const)('lists the installations that the token "%s" may access', async (name, ids) => {
  const { call, tokens } = await createCalled();
  const { body } = await call('GET', '/integrations/sample/installations', { token: tokens[name] });
  expect(body).toEqual({ items: ids.map((id) => expect.objectContaining({ id })), count: ids.length });
});

it('issues API tokens that expire', async () => {
  const { call, tokens, clock } = await createCalled();
  const { status, body } = await call('POST', `${one}/tokens`, { token: tokens.first });
  expect(status).toBe(201);
  expect(body).toEqual({ token: expect.any(String), expiresAt: '2026-01-01T01:00:00.000Z' });
  const { token } = body as { token: string };
  expect((await call('GET', one, { token })).status).toBe(200);
  expect((await call('GET', two, { token })).status).toBe(403);
  await clock.advance(3_600_000);
  expect((await call('GET', one, { token })).status).toBe(401);
});

it('returns the integration without its secrets', async () => {
  const { call } = await createCalled();
  const { body } = await call('GET', '/integrations/sample');
  expect(body).toMatchObject({ name: 'sample', version: 1, visibility: 'public' });
  expect(JSON.stringify(body)).not.toContain('canary-secret');
});

it("returns an installation exactly as it appears in the script's environment", async () => {
  const { call } = await createCalled();
  expect((await call('GET', one)).body).toEqual({
    object: 'integration-installation',
    integration: 'sample',
    organization: 'org_local',
    id: 'installation_1',
    status: 'pending',
    target: 'all',
    space_selection: 'selected',
    configuration: {},
    externalIds: [],
    spaces: 1,
    urls: {
      publicEndpoint: 'http://127.0.0.1:4100/v1/integrations/sample/installations/installation_1',
      publicContentEndpoint: 'http://127.0.0.1:4100/v1/integrations/sample/installations/installation_1',
      app: 'http://127.0.0.1:41000/console/installations/installation_1',
    },
  });
});

it.each([
  [
    `${one}/sites`,
    { items: [expect.objectContaining({ site: 'site_local', space: 'space_local' })], count: 1 },
  ],
  [`${one}/spaces`, { items: [expect.objectContaining({ space: 'space_local' })], count: 1 }],
  [`${two}/spaces`, { items: [], count: 0 }],
  [
    `${one}/spaces?extended=true`,
    {
      items: [expect.objectContaining({ space: expect.objectContaining({ title: 'Local space' }) })],
      count: 1,
    },
  ],
  [
    `${one}/sites?extended=true`,
    { items: [expect.objectContaining({ site: expect.objectContaining({ id: 'site_local' }) })], count: 1 },
  ],
  ['/integrations/sample/sites', { items: [expect.objectContaining({ site: 'site_local' })], count: 1 }],
  [
    '/orgs/org_local/sites/site_local',
    expect.objectContaining({ id: 'site_local', adaptiveContent: { enabled: true } }),
  ],
  ['/spaces/space_local/documents/d1', expect.objectContaining({ object: 'document', nodes: [] })],
  ['/user', expect.objectContaining({ object: 'user', displayName: 'Local user' })],
])('responds to GET %s with the local resource', async (path, body) => {
  const { call } = await createCalled();
  expect(await call('GET', path)).toEqual({ status: 200, body });
});

it.each([
  ['first', '/spaces/space_local/git/import', { url: 'u', ref: 'r' }, 202],
  ['integration', '/spaces/space_local/git/export', { url: 'u', ref: 'r' }, 202],
  ['first', '/spaces/space_local/git/import', { url: 'u' }, 400],
  ['second', '/spaces/space_local/git/import', { url: 'u', ref: 'r' }, 403],
  ['second', '/orgs/org_other/conversations', [{ id: 'c' }], 202],
  ['second', '/orgs/org_local/conversations', [{ id: 'c' }], 404],
  ['integration', '/orgs/org_local/conversations', { id: 'c' }, 202],
] as const)('with the %s token, POST %s with %j returns %i', async (token, path, body, status) => {
  const { call, tokens } = await createCalled();
  expect(await call('POST', path, { token: tokens[token], body })).toMatchObject({ status });
});

it('stores which visitor claims a site accepts', async () => {
  const { call, control, tokens } = await createCalled();
  const path = '/orgs/org_local/sites/site_local/adaptive-schema';
  expect((await call('GET', path)).status).toBe(404);
  await control('PUT', '/snapshots/before');
  const body = { jsonSchema: { type: 'object', properties: { beta: {} }, additionalProperties: false } };
  expect(await call('PUT', path, { body, token: tokens.first })).toEqual({ status: 200, body });
  expect(await call('GET', path)).toEqual({ status: 200, body });
  expect((await call('PUT', path, { body, token: tokens.second })).status).toBe(403);
  expect((await call('PUT', path, { body: { jsonSchema: 'x' } })).status).toBe(400);
  expect((await call('GET', path.replace('org_local', 'org_other'))).status).toBe(404);
  await control('POST', '/snapshots/before/load');
  expect((await call('GET', path)).status).toBe(404);
});

it('returns long lists one page at a time', async () => {
  const { call } = await createCalled();
  const list = '/integrations/sample/installations?limit=1';
  expect((await call('GET', list)).body).toMatchObject({
    items: [{ id: 'installation_1' }],
    next: { page: '1' },
  });
  const last = (await call('GET', `${list}&page=1`)).body;
  expect(last).toMatchObject({ items: [{ id: 'installation_2' }] });
  expect(last).not.toHaveProperty('next');
  expect((await call('GET', `${list}&page=x`)).status).toBe(400);
  expect((await call('GET', '/integrations/sample/installations?limit=0')).status).toBe(400);
});

it('finds an installation by its external id', async () => {
  const { call } = await createCalled();
  await call('PATCH', two, { body: { externalIds: ['team-7'] } });
  const found = await call('GET', '/integrations/sample/installations?externalId=team-7');
  expect(found.body).toMatchObject({ items: [{ id: 'installation_2' }] });
});

it('replaces the whole configuration, and sends an event only if the status changes', async () => {
  const { call, emulator, events } = await createCalled();
  const before = events().length;
  await call('PATCH', one, { body: { configuration: { key: 'k', extra: 1 } } });
  await emulator.settled();
  expect(events().slice(before)).toMatchObject([
    { type: 'installation_setup', status: 'active', previous: { status: 'pending', configuration: {} } },
  ]);
  const { body } = await call('PATCH', one, { body: { configuration: { key: 'other' } } });
  expect(body).toMatchObject({ configuration: { key: 'other' }, status: 'active' });
  await call('PATCH', one, { body: { externalIds: ['x'] } });
  await call('PATCH', `${one}/sites/site_local`, { body: { configuration: { a: 1 } } });
  await emulator.settled();
  expect(events().length).toBe(before + 1);
});

it.each([[{ configuration: [] }], [{ configuration: 'x' }], [{ externalIds: 'x' }], [{ externalIds: [1] }]])(
  'rejects the body %j',
  async (body) => {
    const { call } = await createCalled();
    expect(await call('PATCH', one, { body })).toMatchObject({ status: 400, body: { error: { code: 400 } } });
  },
);

it('lets a script change its own installation during setup', async () => {
  const script = createIntegration({
    events: {
      async installation_setup(event, { api, environment }) {
        const { installation } = environment;
        if (!installation || event.status === 'active') return;
        await api.integrations.updateIntegrationInstallation('sample', installation.id, {
          configuration: { key: 'found' },
        });
      },
      space_installation_setup: async () => {},
      site_installation_setup: async () => {},
    },
  });
  const { emulator, types } = await startSample(script, { integration: shared });
  await emulator.settled();
  expect(types()).toEqual([
    'installation_setup',
    'installation_setup',
    'space_installation_setup',
    'site_installation_setup',
  ]);
});

it('responds with 501 to a request that is not emulated, and adds a warning to the call that sent it', async () => {
  const { call, calls, control } = await createCalled();
  const id = calls[0]?.id ?? '';
  const { status, body } = await call('GET', '/orgs/org_local/teams', { headers: { 'x-platform-call': id } });
  const message =
    'GET /v1/orgs/org_local/teams does not exist on the local platform. "platform docs fidelity" lists what does.';
  expect([status, body]).toEqual([501, { error: { code: 501, message } }]);
  expect((await control('GET', `/calls/${id}`)).body).toMatchObject({
    problems: [{ code: 'not-emulated', severity: 'warning', message }],
  });
});

it('warns about a missing scope, or responds with an error if scopes are enforced', async () => {
  const warned = await createCalled();
  expect((await warned.call('GET', '/spaces/space_local')).status).toBe(200);
  expect(warned.happened).toContainEqual({
    type: 'warning',
    code: 'missing-scope',
    message:
      'GET /v1/spaces/space_local needs the scope space:metadata:read, which the manifest does not request.',
  });
  const enforced = await createCalled({ scopes: 'enforce' });
  expect(await enforced.call('GET', '/spaces/space_local')).toMatchObject({
    status: 403,
    body: {
      error: { code: 403, reason: 'missing_scope', message: expect.stringContaining('space:metadata:read') },
    },
  });
  const granted: Integration = { ...shared, scopes: ['space:metadata:read'] };
  const allowed = await createCalled({ scopes: 'enforce', integration: granted });
  expect((await allowed.call('GET', '/spaces/space_local')).status).toBe(200);
});
