import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { signPayload, verifySignature } from '../../src/webhooks/index.js';
import type { IntegrationScript, RuntimeEnvironment } from '../../src/runtime/index.js';
import { environment } from '../support/environment.js';
import { envelopeRequest, summary, type PartialEvent } from '../support/envelope-request.js';
import { siteInstallation, spaceInstallation } from '../support/oauth-traveller.js';
import { serve } from '../support/serve.js';

// Resolved at run time, because these files use an author's TypeScript settings instead of this project's.
const load = async (path: string): Promise<IntegrationScript> => {
  const url = new URL(`../fixtures/integrations/${path}`, import.meta.url);
  return ((await import(fileURLToPath(url))) as { default: IntegrationScript }).default;
};
const counter = await load('counter/index.tsx');
const notifier = await load('notifier/index.ts');
const connect = await load('connect/index.tsx');
const router = await load('router/index.ts');
const hooks = await load('hooks/index.ts');
const wiki = await load('wiki/index.tsx');
const signIn = await load('sign-in/index.ts');

/** Combines a management API, a provider and a chat service, and records requests. */
const told: string[] = [];
let server: Awaited<ReturnType<typeof serve>>;
beforeAll(async () => {
  server = await serve(async (request) => {
    const { pathname, search } = new URL(request.url);
    told.push(`${request.method} ${pathname}${search} ${await request.text()}`.trim());
    if (pathname === '/oauth/token') return Response.json({ access_token: 'at', workspace: { id: 'W1' } });
    if (pathname === '/projects') return Response.json([{ id: 'p', name: 'Project' }]);
    if (pathname.endsWith('/content')) return Response.json({ id: 'r', pages: [{ title: 'Intro' }] });
    if (pathname.endsWith('/installations')) return Response.json({ items: [] });
    return Response.json({ id: 'space_1', title: 'Guide', configuration: {}, token: 'installation-2' });
  });
});
beforeEach(() => {
  told.length = 0;
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
  vi.spyOn(console, 'debug').mockImplementation(() => undefined);
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => server.close());

const configured = (configuration: object, more: Partial<RuntimeEnvironment> = {}): RuntimeEnvironment => {
  const { installation, ...rest } = environment({ apiEndpoint: `${server.url}/api`, ...more });
  if (!installation) throw new Error('no installation');
  return { ...rest, installation: { ...installation, configuration } };
};
const run = (script: IntegrationScript, event: PartialEvent, where = configured({}), body?: string) =>
  script.fetch(envelopeRequest(event, { environment: where, ...(body !== undefined && { body }) }));
const request = (path: string, method = 'GET', headers = {}) => ({
  type: 'fetch',
  request: { url: `http://127.0.0.1:4000/v1/integrations/demo/installations/ins_1${path}`, method, headers },
});
const drawing = { type: 'ui_render', props: {}, context: { type: 'document', theme: 'light' } };

test("runs an author's block with state and actions", async () => {
  const first = await (await run(counter, { ...drawing, componentId: 'board' })).json();
  expect(first).toMatchObject({ state: { content: 'nothing yet', presses: 0, open: false } });
  const action = { action: 'press', by: 2 };
  const pressed = await run(counter, { ...drawing, componentId: 'board', state: first.state, action });
  expect(pressed.headers.get('cache-control')).toBe('max-age=3600');
  expect(await pressed.json()).toMatchObject({
    type: 'element',
    state: { presses: 2 },
    element: {
      type: 'block',
      controls: [{ icon: 'settings' }],
      children: [
        { type: 'text', children: ['Pressed ', 2, ' times'] },
        { type: 'button', label: 'Press', disabled: false },
        { type: 'webframe', data: { content: { $state: 'content' } } },
      ],
    },
  });
  const unfurl = { action: '@link.unfurl', url: 'https://x.test/' };
  expect(
    await (await run(counter, { ...drawing, componentId: 'board', action: unfurl })).json(),
  ).toMatchObject({
    props: { content: 'https://x.test/' },
  });
  const large = await run(counter, { ...drawing, componentId: 'large', props: { content: '# Hi' } });
  expect(await large.json()).toMatchObject({ element: { type: 'modal', submit: { type: 'button' } } });
});

test("runs an author's event handlers", async () => {
  const where = configured(
    { webhook_url: `${server.url}/chat` },
    { spaceInstallation: { ...spaceInstallation, configuration: { channel: 'docs' } } },
  );
  const updated = { type: 'space_content_updated', spaceId: 'space_1', revisionId: 'r' };
  expect(await summary(await run(notifier, updated, where))).toEqual([200, 'OK']);
  expect(told).toEqual([
    'GET /api/v1/spaces/space_1',
    'GET /api/v1/spaces/space_1/content',
    'POST /chat {"channel":"docs","text":"Guide changed: Intro"}',
  ]);
  const visibility = {
    type: 'space_visibility_updated',
    spaceId: 's',
    visibility: 'public',
    previousVisibility: 'private',
  };
  expect((await run(notifier, visibility, where)).status).toBe(200);
  expect(told.at(-1)).toBe('POST /chat {"channel":"general","text":"private became public"}');
  const setup = { type: 'installation_setup', status: 'active', previous: { status: 'pending' } };
  expect((await run(notifier, setup, where)).status).toBe(200);
  expect(told.at(-1)).toBe('PATCH /api/v1/integrations/demo/installations/ins_1 {"externalIds":["general"]}');
  const nowhere = configured({ default_channel: 'x' });
  expect(await summary(await run(notifier, updated, nowhere))).toEqual([
    400,
    '{"error":"Enter the address of the webhook first."}',
  ]);
});

test('runs an OAuth flow that starts with a button', async () => {
  const secrets = { CLIENT_ID: 'c', CLIENT_SECRET: 's', TRACKER_URL: server.url };
  const where = configured({}, { secrets });
  const config = await run(
    connect,
    {
      ...drawing,
      componentId: 'config',
      props: { installation: { configuration: {} } },
    },
    where,
  );
  const { element } = await config.json();
  const { url } = element.children[0].element.onPress;
  expect(url).toBe('http://127.0.0.1:4000/v1/integrations/demo/installations/ins_1/oauth');

  const out = await run(connect, request('/oauth'), where);
  const provider = new URL(out.headers.get('location') ?? '');
  expect([out.status, provider.pathname, provider.searchParams.get('scope')]).toEqual([
    302,
    '/oauth/authorize',
    'issues:read offline',
  ]);
  const query = new URLSearchParams({ code: 'x', state: provider.searchParams.get('state') ?? '' });
  const back = await run(connect, request(`/oauth?${query.toString()}`), where);
  expect([back.status, back.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(told.at(-1)).toBe(
    'PATCH /api/v1/integrations/demo/installations/ins_1 {"externalIds":["W1"],"configuration":' +
      '{"oauth_credentials":{"access_token":"at","expires_at":"2030-01-01T00:00:00.000Z"}}}',
  );
  const connected = configured({ oauth_credentials: { access_token: 'at' } }, { secrets });
  expect(await (await run(connect, request('/projects'), connected)).json()).toEqual([
    { id: 'p', label: 'Project' },
  ]);
  expect((await run(connect, request('/projects'), where)).status).toBe(401);
  const save = { ...drawing, componentId: 'config', state: { project: 'p' }, action: { action: 'save' } };
  expect(await (await run(connect, save, connected)).json()).toEqual({ type: 'complete' });
});

describe('a router', () => {
  test.each([
    ['GET', '/channels?q=r', undefined, [200, '["random","release"]']],
    ['POST', '/upload', 'äö', [201, '4']],
    ['GET', '/tick', undefined, [200, 'one two three']],
    ['GET', '/none', undefined, [404, expect.stringMatching(/^No route matching GET /)]],
  ])('responds to %s %s', async (method, path, body, answer) => {
    expect(await summary(await run(router, request(path, method), configured({}), body))).toEqual(answer);
  });
});

test('runs a webhook receiver with a queue', async () => {
  const body = '{"id":"42"}';
  const where = configured({}, { secrets: { HOOK_SECRET: 'whsec' } });
  const header = await signPayload(body, 'whsec', { timestamp: 1 });
  expect(await verifySignature(body, header, 'whsec')).toBe(true);
  const signed = request('/hook', 'POST', { 'x-platform-signature': header });
  expect(await summary(await run(hooks, signed, where, body))).toEqual([200, '{"received":true}']);
  expect(told).toEqual([
    'POST /api/v1/integrations/demo/tasks {"task":{"type":"ingest","payload":{"id":"42"}},"schedule":5}',
    'POST /api/v1/integrations/demo/installations/ins_1/tokens',
    'POST /api/v1/orgs/org_1/conversations [{"id":"42"}]',
  ]);
  expect((await run(hooks, signed, where, `${body} `)).status).toBe(401);
  const task = { type: 'task', task: { type: 'ingest', payload: { id: '42' } } };
  expect(await summary(await run(hooks, task, where))).toEqual([200, 'OK']);
  expect(told.at(-1)).toBe('GET /api/v1/integrations/hooks/installations?externalId=42&limit=10');
});

test('runs a content source', async () => {
  const computing = {
    sourceId: 'wiki',
    props: { address: 'a.test', page: 'intro' },
    dependencies: { spec: { ref: { kind: 'openapi' } } },
  };
  const revision = await run(wiki, { type: 'content_compute_revision', ...computing });
  expect(await revision.json()).toMatchObject({
    pages: [{ title: 'intro of a.test (openapi)', computed: { integration: 'demo' } }, { id: 'setup' }],
  });
  const page = await run(wiki, { type: 'content_compute_document', ...computing });
  expect(await page.json()).toMatchObject({ document: { nodes: [{ text: 'Welcome to a.test' }] } });
  const submit = { ...drawing, componentId: 'configureSource', action: { action: 'submit' } };
  expect(await (await run(wiki, { ...submit, state: { address: 'a' } })).json()).toEqual({
    type: 'complete',
    returnValue: { props: { address: 'a' }, dependencies: {} },
  });
  expect((await run(wiki, submit)).status).toBe(400);
});

test('authenticates a visitor and serves a published script', async () => {
  const configuration = { client_id: 'abc', authorization_endpoint: 'https://id.test/auth' };
  const where = configured({}, { siteInstallation: { ...siteInstallation, configuration } });
  const answer = await run(signIn, { type: 'fetch_visitor_authentication', location: '/x' }, where);
  expect(answer.headers.get('location')).toMatch(
    /^https:\/\/id\.test\/auth\?client_id=abc&redirect_uri=.*&state=state-%2Fx$/,
  );
  const published = { type: 'fetch_published_script' };
  expect(await summary(await run(signIn, published, where))).toEqual([200, 'console.log("abc")']);
  expect(await summary(await run(signIn, published))).toEqual([200, '/** no-op */']);
});
