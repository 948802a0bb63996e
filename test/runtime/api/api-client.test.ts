import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createApiClient, createContext, PlatformApi, PlatformApiError } from '../../../src/runtime/index.js';
import { environment } from '../../support/environment.js';
import { serve } from '../../support/serve.js';

const calls: { call: string; authorization: string | null; agent: string | null; body: unknown }[] = [];
let answer: (request: Request) => Response;
let server: Awaited<ReturnType<typeof serve>>;
let api: PlatformApi;

beforeAll(async () => {
  server = await serve(async (request) => {
    const { pathname, search } = new URL(request.url);
    const text = await request.text();
    calls.push({
      call: `${request.method} ${pathname}${search}`,
      authorization: request.headers.get('authorization'),
      agent: request.headers.get('user-agent'),
      body: text === '' ? undefined : JSON.parse(text),
    });
    return answer(request);
  });
  api = createApiClient({ endpoint: `${server.url}/api`, authToken: 'token-1', userAgent: 'test/1' });
});
beforeEach(() => {
  calls.length = 0;
  answer = () => Response.json({ id: 'x' });
});
afterAll(() => server.close());

const change = { configuration: { a: 1 }, externalIds: ['e'] };
const task = { task: { type: 'sync' }, schedule: 60 };
const schema = {
  jsonSchema: { type: 'object', properties: { beta: {} }, additionalProperties: false },
} as const;
const own = () => api.integrations;
/** Each request, without `/api/v1/` before its path. */
const cases: [request: string, call: () => Promise<unknown>, body?: unknown][] = [
  ['GET integrations/n/installations/i', () => own().getIntegrationInstallationById('n', 'i')],
  [
    'PATCH integrations/n/installations/i',
    () => own().updateIntegrationInstallation('n', 'i', change),
    change,
  ],
  ['GET integrations/n/installations', () => own().listIntegrationInstallations('n')],
  [
    'GET integrations/n/installations?externalId=a%20b&limit=2',
    () => own().listIntegrationInstallations('n', { externalId: 'a b', limit: 2 }),
  ],
  ['GET integrations/n/installations/i/spaces/s', () => own().getIntegrationSpaceInstallation('n', 'i', 's')],
  [
    'PATCH integrations/n/installations/i/spaces/s',
    () => own().updateIntegrationSpaceInstallation('n', 'i', 's', change),
    change,
  ],
  ['GET integrations/n/spaces?page=p', () => own().listIntegrationSpaceInstallations('n', { page: 'p' })],
  ['GET integrations/n/installations/i/sites/s', () => own().getIntegrationSiteInstallation('n', 'i', 's')],
  [
    'PATCH integrations/n/installations/i/sites/s',
    () => own().updateIntegrationSiteInstallation('n', 'i', 's', change),
    change,
  ],
  ['POST integrations/n/tasks', () => own().queueIntegrationTask('n', task), task],
  ['POST integrations/n/installations/i/tokens', () => own().createIntegrationInstallationToken('n', 'i')],
  ['GET spaces/a%2Fb', () => api.spaces.getSpaceById('a/b')],
  ['GET spaces/s/content', () => api.spaces.getCurrentRevision('s')],
  [
    'GET spaces/s/revisions/r/changes?metadata=false',
    () => api.spaces.getRevisionSemanticChanges('s', 'r', { metadata: false }),
  ],
  ['GET spaces/s/revisions/r/page/p', () => api.spaces.getPageInRevisionById('s', 'r', 'p')],
  [
    'GET urls/content?url=https%3A%2F%2Fa.example%2Fx%20y',
    () => api.urls.getContentByUrl({ url: 'https://a.example/x y' }),
  ],
  ['GET spaces/s/documents/d', () => api.spaces.getDocumentById('s', 'd')],
  ['GET orgs/o/sites/s/adaptive-schema', () => api.orgs.getSiteAdaptiveSchema('o', 's')],
  ['PUT orgs/o/sites/s/adaptive-schema', () => api.orgs.updateSiteAdaptiveSchema('o', 's', schema), schema],
  [
    'GET spaces/s',
    () =>
      new PlatformApi({
        endpoint: api.endpoint,
        authToken: 'token-1',
        userAgent: api.userAgent,
      }).spaces.getSpaceById('s'),
  ],
  [
    'GET integrations/n/installations/i/spaces?limit=5',
    () => own().listIntegrationInstallationSpaces('n', 'i', { limit: 5 }),
  ],
  [
    'GET integrations/n/sites?externalId=e',
    () => own().listIntegrationSiteInstallations('n', { externalId: 'e' }),
  ],
  ['GET spaces/s/revisions/r', () => api.spaces.getRevisionById('s', 'r')],
  [
    'POST spaces/s/git/import',
    () => api.spaces.importGitRepository('s', { url: 'u', ref: 'r' }),
    { url: 'u', ref: 'r' },
  ],
  [
    'POST spaces/s/git/export',
    () => api.spaces.exportToGitRepository('s', { url: 'u', ref: 'r' }),
    { url: 'u', ref: 'r' },
  ],
  [
    'POST orgs/o/conversations',
    () => api.orgs.ingestConversation('o', [{ id: 'c', parts: [] }]),
    [{ id: 'c', parts: [] }],
  ],
  ['POST orgs/o/ask', () => api.orgs.askInOrganization('o', { query: 'Why?' }), { query: 'Why?' }],
  [
    'POST orgs/o/ask?format=document&details=true',
    () => api.orgs.askInOrganization('o', { query: 'Why?' }, { format: 'document', details: true }),
    { query: 'Why?' },
  ],
  ['GET orgs/o/openapi?limit=2', () => api.orgs.listOpenApiSpecs('o', { limit: 2 })],
  ['GET user', () => api.user.getAuthenticatedUser()],
  ['GET orgs/o/sites/s', () => api.orgs.getSiteById('o', 's')],
  ['PUT spaces/s/x?y=z', () => api.request('PUT', '/spaces/s/x?y=z', [1]), [1]],
  ['GET spaces/s', () => api.request('GET', '/v1/spaces/s')],
];
test.each(cases)('sends the API request %s', async (request, call, body) => {
  expect(await call()).toEqual({ data: { id: 'x' } });
  expect(calls).toEqual([
    { call: request.replace(' ', ' /api/v1/'), authorization: 'Bearer token-1', agent: 'test/1', body },
  ]);
});

test('creates an API client that uses a separate token for an installation', async () => {
  answer = () => Response.json({ token: 'token-2', expiresAt: '2030-01-01T00:00:00Z' });
  const { createInstallationClient } = api;
  const client = await createInstallationClient('n', 'i');
  await client.spaces.getSpaceById('s');
  expect(calls.map(({ authorization }) => authorization)).toEqual(['Bearer token-1', 'Bearer token-2']);
  expect([client.endpoint, client.userAgent]).toEqual([api.endpoint, 'test/1']);
});

const streamOf = (...chunks: string[]): void => {
  const body = new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
      controller.close();
    },
  });
  answer = () => new Response(body, { headers: { 'content-type': 'text/event-stream' } });
};
const read = async (): Promise<unknown[]> => {
  const events: unknown[] = [];
  for await (const event of api.orgs.streamAskInOrganization('o', { query: 'Why?', format: 'markdown' }))
    events.push(event);
  return events;
};

test('reads a streamed response event by event, however its lines are split into chunks', async () => {
  streamOf('event: answer\r\ndata: {"a"', ':1}\r', '\n\r\nda', 'ta:{"a":2}\n\n: a comment\n\ndata: {"a":3}');
  expect(await read()).toEqual([{ a: 1 }, { a: 2 }]);
  expect(calls).toMatchObject([
    { call: 'GET /api/v1/orgs/o/ask/stream?query=Why%3F&format=markdown', authorization: 'Bearer token-1' },
  ]);
});

test('throws an error if the server responds to a streaming request with an error', async () => {
  answer = () => Response.json({ error: { message: 'No such organization.' } }, { status: 404 });
  await expect(read()).rejects.toMatchObject({ code: 404, message: 'No such organization.' });
});

test.each([
  ['nothing for an empty response', new Response(null, { status: 204 }), undefined],
  ['text', new Response('plain'), 'plain'],
  ['false', Response.json(false), false],
])('resolves an API request to %s', async (_, response, data) => {
  answer = () => response;
  expect(await api.request('GET', '/x')).toEqual({ data });
});

test.each([
  [
    'an error',
    Response.json({ error: { code: 404, message: 'No such space.' } }, { status: 404 }),
    404,
    'No such space.',
  ],
  [
    'an error in another format',
    Response.json({ error: 'no' }, { status: 403 }),
    403,
    'The API responded with 403',
  ],
  ['an HTML page', new Response('<h1>', { status: 502 }), 502, 'The API responded with 502'],
  ['empty', new Response(null, { status: 500 }), 500, 'The API responded with 500'],
  ['null', new Response('null', { status: 500 }), 500, 'The API responded with 500'],
])('fails an API request if the response is %s', async (_, response, code, message) => {
  answer = () => response;
  const failed = api.spaces.getSpaceById('s');
  await expect(failed).rejects.toBeInstanceOf(PlatformApiError);
  await expect(failed).rejects.toMatchObject({ name: 'PlatformApiError', code, message });
});

const contextOf = (overrides = {}) =>
  createContext(environment({ apiEndpoint: `${server.url}/api`, ...overrides }), () => {});

test('provides one API client for the installation and one for the integration', async () => {
  const context = contextOf();
  await context.api.spaces.getSpaceById('s');
  await context.integration.api.spaces.getSpaceById('s');
  expect(calls.map(({ authorization, agent }) => `${authorization} ${agent}`)).toEqual([
    'Bearer token-installation integration-demo/3',
    'Bearer token-integration integration-demo/3',
  ]);
});

test('lets a call use another API client to act as another installation', async () => {
  const context = contextOf();
  context.api = new PlatformApi({ endpoint: `${server.url}/api`, authToken: 'token-other' });
  await context.api.spaces.getSpaceById('s');
  await context.integration.api.spaces.getSpaceById('s');
  expect(calls.map(({ authorization }) => authorization)).toEqual([
    'Bearer token-other',
    'Bearer token-integration',
  ]);
});

test('lets a test replace a method of one API client without changing the others', async () => {
  const [one, other] = [contextOf(), contextOf()];
  vi.spyOn(one.api.spaces, 'getSpaceById').mockRejectedValue(new Error('replaced'));
  one.api.spaces.getDocumentById = () => Promise.reject(new Error('set'));
  await expect(one.api.spaces.getSpaceById('s')).rejects.toThrow('replaced');
  await expect(one.api.spaces.getDocumentById('s', 'd')).rejects.toThrow('set');
  const { getSpaceById, getDocumentById } = other.api.spaces;
  await getSpaceById('s');
  await getDocumentById('s', 'd');
  expect(calls.map(({ call }) => call)).toEqual(['GET /api/v1/spaces/s', 'GET /api/v1/spaces/s/documents/d']);
});

test('sends API requests as the integration if there is no installation', async () => {
  await contextOf({ apiTokens: { integration: 'token-integration' } }).api.spaces.getSpaceById('s');
  expect(calls[0]?.authorization).toBe('Bearer token-integration');
});

test('queues a task through the API client', async () => {
  await contextOf().integration.queueTask({ task: { type: 'a' }, schedule: 86_400 });
  expect(calls).toMatchObject([
    {
      call: 'POST /api/v1/integrations/demo/tasks',
      authorization: 'Bearer token-integration',
      body: { task: { type: 'a' }, schedule: 86_400 },
    },
  ]);
});

test('creates API clients from an empty environment', () => {
  expect(() => createContext(JSON.parse('{}'), () => {})).not.toThrow();
});
