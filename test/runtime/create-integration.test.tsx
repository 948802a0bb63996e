import { format } from 'node:util';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  createComponent,
  createContentSource,
  createIntegration,
  ExposableError,
  type IntegrationDefinition,
} from '../../src/runtime/index.js';
import { envelopeRequest, summary, type PartialEvent } from '../support/envelope-request.js';

const card = createComponent({
  componentId: 'card',
  render: async () => (
    <block>
      <text>Hi</text>
    </block>
  ),
});
const source = createContentSource({
  sourceId: 'wiki',
  getRevision: async () => ({ pages: [] }),
  getPageDocument: async () => ({ nodes: [] }),
});
const request = { url: 'https://public.example/v1/integrations/demo/x', method: 'GET', headers: {} };
const context = { type: 'document', theme: 'light' };

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
});
afterEach(() => vi.restoreAllMocks());

const fetched = { type: 'fetch', request };
const rendered = (componentId: string) => ({ type: 'ui_render', componentId, context });
const says = (error: string): string => JSON.stringify({ error });
const unhandled = (what: string): string => says(`Integration does not handle ${what}`);
const internal = says('Internal server error');
const failing = (error: unknown) => () => Promise.reject(error);

const cases: [string, IntegrationDefinition, PartialEvent, number, string][] = [
  ['fetch', { fetch: async () => new Response('made', { status: 201 }) }, fetched, 201, 'made'],
  [
    'ui_render',
    { components: [card] },
    { ...rendered('card'), props: { a: 1 } },
    200,
    '{"type":"element","state":{},"props":{"a":1},"element":{"type":"block","children":[{"type":"text","children":["Hi"]}]}}',
  ],
  ['an event', { events: { space_view: () => {} } }, { type: 'space_view' }, 200, 'OK'],
  ['several handlers', { events: { site_view: [() => {}, () => {}] } }, { type: 'site_view' }, 200, 'OK'],
  ...(
    [
      ['a published script', () => new Response('alert(1)'), 'alert(1)'],
      ['no published script', () => undefined, '/** no-op */'],
    ] as const
  ).map(([what, handler, body]): [string, IntegrationDefinition, PartialEvent, number, string] => [
    what,
    { fetch_published_script: handler },
    { type: 'fetch_published_script' },
    200,
    body,
  ]),
  [
    'visitor authentication',
    { fetch_visitor_authentication: (event) => new Response(event.location) },
    { type: 'fetch_visitor_authentication', location: '/intro' },
    200,
    '/intro',
  ],
  ['task', { task: () => 'ignored' }, { type: 'task', task: { type: 'sync' } }, 200, 'OK'],
  [
    'content_compute_revision',
    { contentSources: [source] },
    { type: 'content_compute_revision', sourceId: 'wiki' },
    200,
    '{"pages":[]}',
  ],
  [
    'content_compute_document',
    { contentSources: [source] },
    { type: 'content_compute_document', sourceId: 'wiki' },
    200,
    '{"document":{"nodes":[]}}',
  ],
  ['fetch without a handler', {}, fetched, 400, unhandled('HTTP requests')],
  ['a task without a handler', {}, { type: 'task' }, 400, unhandled('tasks')],
  ...['fetch_published_script', 'fetch_visitor_authentication'].map(
    (type): [string, IntegrationDefinition, PartialEvent, number, string] => [
      `${type} without a handler`,
      {},
      { type },
      400,
      unhandled(`"${type}" events`),
    ],
  ),
  ['an unknown component', { components: [card] }, rendered('dice'), 404, says('Component dice not found')],
  [
    'an unknown content source',
    { contentSources: [source] },
    { type: 'content_compute_revision', sourceId: 'blog' },
    404,
    says('Content source blog not found'),
  ],
  [
    'any other event',
    { events: { space_view: () => {} } },
    { type: 'site_view' },
    406,
    unhandled('"site_view" events'),
  ],
  [
    'an inherited event name',
    { events: {} },
    { type: 'constructor' },
    406,
    unhandled('"constructor" events'),
  ],
  [
    'an ExposableError',
    { events: { space_view: failing(new ExposableError('Choose a channel.')) } },
    { type: 'space_view' },
    400,
    says('Choose a channel.'),
  ],
  ['one with a code', { fetch: failing(new ExposableError('No.', 403)) }, fetched, 403, says('No.')],
  [
    'one with no error status',
    { fetch: failing(new ExposableError('Odd.', 42)) },
    fetched,
    500,
    says('Odd.'),
  ],
  ['any other error', { fetch: failing(new Error('the password is hunter2')) }, fetched, 500, internal],
  ['a thrown value that is not an error', { task: failing(undefined) }, { type: 'task' }, 500, internal],
  [
    'a handler that returns nothing',
    { fetch: async () => undefined as unknown as Response },
    fetched,
    500,
    internal,
  ],
];
test.each(cases)('returns the expected response for %s', async (_, definition, event, status, body) => {
  const response = await createIntegration(definition).fetch(envelopeRequest(event));
  expect(await summary(response)).toEqual([status, body]);
});

test.each([
  ['fetch', { fetch: async () => ({ ok: true }) }, fetched],
  ['fetch', { fetch: async () => undefined }, fetched],
  ['ui_render', { components: [{ componentId: 'a', render: async () => 'text' }] }, rendered('a')],
])('logs that the "%s" handler returned no Response', async (type, definition, event) => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  const response = await createIntegration(definition as never).fetch(envelopeRequest(event));
  expect(await summary(response)).toEqual([500, '{"error":"Internal server error"}']);
  expect(String(log.mock.calls[0])).toContain(`"${type}" handler returned no Response`);
  log.mockRestore();
});

test('logs where an ExposableError was thrown', async () => {
  const log = vi.spyOn(console, 'log');
  const fetch = (): never => {
    throw new ExposableError('Not yours.', 403);
  };
  await createIntegration({ fetch }).fetch(envelopeRequest({ type: 'fetch', request }));
  expect(log.mock.lastCall?.[0]).toMatch(
    /Responded 403: .*Not yours\.\n +at .*create-integration\.test\.tsx:/,
  );
});

test('responds with an empty script if the handler returns nothing', async () => {
  const script = createIntegration({ fetch_published_script: () => undefined });
  const response = await script.fetch(envelopeRequest({ type: 'fetch_published_script' }));
  expect(response.headers.get('content-type')).toBe('application/javascript');
});

test("runs ui_render handlers after the component, and returns the component's response", async () => {
  const order: string[] = [];
  const component = createComponent({
    componentId: 'a',
    render: () => {
      order.push('component');
      return <block>x</block>;
    },
  });
  const script = createIntegration({
    components: [component],
    events: { ui_render: async (event) => order.push(event.componentId) },
  });
  const event = { type: 'ui_render', componentId: 'a', props: {}, context };
  expect((await script.fetch(envelopeRequest(event))).status).toBe(200);
  expect(order).toEqual(['component', 'a']);
});

test('waits for all handlers before returning a failure', async () => {
  const ended: string[] = [];
  const script = createIntegration({
    events: {
      space_view: [
        () => Promise.reject(new ExposableError('first')),
        async () => {
          await Promise.resolve();
          ended.push('second');
        },
      ],
    },
  });
  expect(await summary(await script.fetch(envelopeRequest({ type: 'space_view' })))).toEqual([
    400,
    '{"error":"first"}',
  ]);
  expect(ended).toEqual(['second']);
});

test('writes the stack trace only to the log', async () => {
  const script = createIntegration({
    task: () => {
      throw new Error('the password is hunter2');
    },
  });
  await script.fetch(envelopeRequest({ type: 'task' }));
  expect(format(...(vi.mocked(console.error).mock.calls[0] ?? []))).toMatch(
    /^\[integrations\] Error: the password is hunter2\n +at /,
  );
});

test('exposes the message of an ExposableError from another copy of the package', async () => {
  vi.resetModules();
  const other = await import('../../src/protocol/exposable-error.js');
  expect(other.ExposableError).not.toBe(ExposableError);
  const script = createIntegration({
    task: () => {
      throw new other.ExposableError('From elsewhere', 409);
    },
  });
  expect(await summary(await script.fetch(envelopeRequest({ type: 'task' })))).toEqual([
    409,
    '{"error":"From elsewhere"}',
  ]);
});

test("passes promises to the host's waitUntil", async () => {
  const handed: Promise<unknown>[] = [];
  let done = false;
  const script = createIntegration({
    task: (_, { waitUntil }) =>
      waitUntil(
        Promise.resolve().then(() => {
          done = true;
        }),
      ),
  });
  await script.fetch(envelopeRequest({ type: 'task' }), {}, { waitUntil: (promise) => handed.push(promise) });
  expect(handed).toHaveLength(1);
  await Promise.all(handed);
  expect(done).toBe(true);
});

test("calls waitUntil as a method of the host's object", async () => {
  const host = {
    count: 0,
    waitUntil() {
      this.count += 1;
    },
  };
  const script = createIntegration({ task: (_, context) => context.waitUntil(Promise.resolve()) });
  await script.fetch(envelopeRequest({ type: 'task' }), {}, host);
  expect(host.count).toBe(1);
});

test('awaits waitUntil promises in the script if the host has no waitUntil, including those added later', async () => {
  const done: string[] = [];
  const script = createIntegration({
    task: (_, { waitUntil }) => {
      const later = async (): Promise<void> => {
        await new Promise((resolve) => setImmediate(resolve));
        done.push('first');
        waitUntil(Promise.resolve().then(() => done.push('second')));
      };
      waitUntil(later());
    },
  });
  await script.fetch(envelopeRequest({ type: 'task' }));
  expect(done).toEqual(['first', 'second']);
});

test('logs a rejected promise without changing the response', async () => {
  const script = createIntegration({
    task: (_, { waitUntil }) => waitUntil(Promise.reject(new Error('late'))),
  });
  expect((await script.fetch(envelopeRequest({ type: 'task' }))).status).toBe(200);
  expect(console.error).toHaveBeenCalledWith('[integrations] waitUntil failed', new Error('late'));
});
