import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { createVirtualClock } from '../../../src/base/clock.js';
import type { WebhookEvent } from '../../../src/protocol/events.js';
import { createMemoryStore } from '../../../src/store/store.js';
import { createSample, startSample, integration, type Sample } from '../emulator-under-test.js';
import { eventFields } from '../../support/event-fields.js';

interface Sent {
  body: string;
  signature: string;
}

interface Receiving extends Sample {
  sent: Sent[];
  endpoint: { id: string; secret: string };
}

const target = 'http://receiver.example.com/hook';

const visitor = { anonymousId: 'vis_1', userAgent: 'Mozilla/5.0', ip: '203.0.113.7', cookies: { a: 'b' } };

/** A receiver that answers what it is told, one status after another, then 200. */
async function createReceiving(statuses: number[] = [], more: object = {}): Promise<Receiving> {
  const sent: Sent[] = [];
  const sample = await startSample(undefined, {
    integration: { ...integration, visibility: 'public' },
    outside: async (request) => {
      sent.push({ body: await request.text(), signature: request.headers.get('x-platform-signature') ?? '' });
      return new Response(null, { status: statuses.shift() ?? 200 });
    },
  });
  const { body } = await sample.control<{ id: string; secret: string }>('POST', '/webhooks', {
    site: 'site_local',
    url: target,
    events: ['site_view', 'page_feedback'],
    ...more,
  });
  return { ...sample, sent, endpoint: body };
}

const idle = ({ emulator }: Sample): Promise<void> =>
  emulator.webhooks.use((dispatcher) => dispatcher.idle());

/** The signature, computed without our own code. */
function isValid({ body, signature }: Sent, secret: string): boolean {
  const fields = Object.fromEntries(signature.split(',').map((field) => field.split('=')));
  return createHmac('sha256', secret).update(`${fields.t}.${body}`).digest('hex') === fields.v1;
}

it.each<[string, (sample: Sample) => Promise<unknown>]>([
  ['a triggered event', ({ emulator }) => emulator.trigger({ type: 'site_view' })],
  [
    "a reader's view",
    async ({ emulator: { readers } }) => {
      const [space] = readers.spaces();
      if (space) await readers.view(space, 'page_1', { url: 'http://127.0.0.1/', visitor, referrer: '' });
    },
  ],
])('sends %s to the script even if its deliveries cannot be stored', async (_, send) => {
  const clock = createVirtualClock(0);
  const store = createMemoryStore(clock);
  const deliveries = { ...store.deliveries, insert: () => Promise.reject(new Error('The disk is full.')) };
  const sample = createSample(undefined, { clock, store: { ...store, deliveries } });
  const { emulator, control, types } = sample;
  await emulator.start();
  await control('POST', '/webhooks', { site: 'site_local', url: target, events: ['site_view'] });
  await expect(send(sample)).rejects.toThrow('The disk is full.');
  await emulator.settled();
  expect(types()).toContain('site_view');
});

it.each([
  [{ site: 'site_local', url: '', events: ['site_view'] }, 400],
  [{ site: 'site_local', url: target, events: [] }, 400],
  [{ site: 'site_local', url: target, events: ['space_content_updated'] }, 400],
  [{ space: 'space_local', url: target, events: ['site_view'] }, 400],
  [{ site: 'site_local', space: 'space_local', url: target, events: ['site_view'] }, 400],
  [{ url: target, events: ['site_view'] }, 400],
  [{ site: 'site_local', events: ['site_view'] }, 400],
  [{ site: 'site_local', url: target }, 400],
  [{ site: 'site_local', url: target, events: ['ui_render'] }, 400],
  [{ site: 'site_local', url: target, events: ['site_view', 'space_content_updated'] }, 400],
  [{ site: 'site_local', url: 'receiver', events: ['site_view'] }, 400],
  [{ site: 'nowhere', url: target, events: ['site_view'] }, 404],
])('rejects an endpoint with %j', async (endpoint, status) => {
  const { control } = await createReceiving();
  expect(await control('POST', '/webhooks', endpoint)).toMatchObject({
    status,
    body: { error: expect.any(String) },
  });
});

it("shows an endpoint's secret only in the endpoint's own view, even after an edit and a restart", async () => {
  const { control, endpoint, store, emulator } = await createReceiving();
  expect(endpoint.secret).toMatch(/^whsec_[0-9a-f]{64}$/);
  const own = async (of: Sample['control']) => (await of('GET', `/webhooks/${endpoint.id}`)).body;
  expect(await own(control)).toMatchObject({ secret: endpoint.secret });
  await control('PATCH', `/webhooks/${endpoint.id}`, { events: ['site_view'], enabled: false });
  expect(await own(control)).toMatchObject({ secret: endpoint.secret, events: ['site_view'] });
  expect(JSON.stringify((await control('GET', '/webhooks')).body)).not.toContain(endpoint.secret);
  await emulator.close();
  expect(await own(createSample(undefined, { store }).control)).toMatchObject({ secret: endpoint.secret });
});

it("removes a webhook endpoint when the installation is removed from the endpoint's site or space", async () => {
  const { control, emulator } = await createReceiving();
  await control('DELETE', '/installations/installation_1/sites/site_local');
  await emulator.settled();
  expect((await control('GET', '/webhooks')).body).toEqual([]);
});

it.each([
  ['space_content_updated', { space: 'space_local' }, { spaceId: 'space_local', revisionId: 'rev_1' }],
  [
    'site_view',
    { site: 'site_local' },
    { siteId: 'site_local', visitor, url: 'https://docs.example.com/', referrer: '' },
  ],
  [
    'page_feedback',
    { site: 'site_local' },
    {
      siteId: 'site_local',
      spaceId: 'space_local',
      pageId: 'page_1',
      feedback: { rating: 'good', comment: 'ü' },
      visitor,
      url: 'https://docs.example.com/',
      referrer: '',
    },
  ],
] as const)('sends a %s event with exactly its documented fields', async (type, place, fields) => {
  const receiving = await createReceiving();
  const { control, emulator, sent } = receiving;
  await control('PATCH', `/webhooks/${receiving.endpoint.id}`, { enabled: false });
  expect((await control('POST', '/webhooks', { ...place, url: target, events: [type] })).status).toBe(200);
  const common = { eventId: 'evt_1', type, installationId: 'installation_1' };
  const more = { extra: 1, organizationId: 'org_1', visitor: { ...visitor, email: 'a@example.com' } };
  const feedback = { rating: 'good', comment: 'ü', score: 5 };
  const event = { ...common, ...more, ...fields, ...('visitor' in fields && { visitor: more.visitor }) };
  await emulator.webhooks.forward({ ...event, ...('feedback' in fields && { feedback }) } as WebhookEvent);
  await idle(receiving);
  expect(sent.map(({ body }) => JSON.parse(body) as object)).toEqual([{ ...common, ...fields }]);
});

it('sends an event unchanged to the endpoints that subscribe to it', async () => {
  const receiving = await createReceiving();
  const { control, sent, endpoint } = receiving;
  const { body } = await control<{ event: { eventId: string }; deliveries: string[] }>('POST', '/events', {
    type: 'page_feedback',
  });
  await idle(receiving);
  expect(sent.length).toBe(1);
  expect(isValid(sent[0] ?? { body: '', signature: '' }, endpoint.secret)).toBe(true);
  expect(Object.keys(JSON.parse(sent[0]?.body ?? '') as object).sort()).toEqual(eventFields.page_feedback);
  expect(body.deliveries.length).toBe(1);
  expect((await control('GET', `/deliveries/${body.deliveries[0]}`)).body).toMatchObject({
    delivery: { state: 'delivered', eventId: body.event.eventId },
    attempts: [{ number: 1, result: { kind: 'answer', status: 200 } }],
    body: { content: sent[0]?.body },
  });
  await control('POST', '/events', { type: 'space_content_updated' });
  await idle(receiving);
  expect(sent.length).toBe(1);
});

it('retries an event, optionally without waiting', async () => {
  const receiving = await createReceiving([500, 500]);
  const { control, sent, clock, happened } = receiving;
  const { body } = await control<{ deliveries: string[] }>('POST', '/events', { type: 'site_view' });
  const [id = ''] = body.deliveries;
  await idle(receiving);
  expect(sent.length).toBe(1);
  await clock.advance(1100);
  await idle(receiving);
  expect(sent.length).toBe(2);
  expect((await control('POST', `/deliveries/${id}/skip-wait`)).body).toEqual({ skipped: true });
  await idle(receiving);
  expect(sent.length).toBe(3);
  expect(new Set(sent.map((one) => one.body)).size).toBe(1);
  const states = happened.flatMap((event) => (event.type === 'delivery' ? [event.delivery.state] : []));
  expect(states).toEqual(['pending', 'retrying', 'retrying', 'delivered']);
});

it('stops the platform without waiting for a hanging receiver', async () => {
  const silent = createSample(undefined, {
    outside: ({ signal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('cut off')))),
  });
  const { emulator, clock, control, store } = silent;
  await emulator.start();
  await control('POST', '/webhooks', { site: 'site_local', url: target, events: ['site_view'] });
  const { body } = await control<{ deliveries: string[] }>('POST', '/events', { type: 'site_view' });
  const [id = ''] = body.deliveries;
  await expect.poll(async () => (await store.deliveries.get(id))?.phase).toBe('sending');
  const closing = emulator.close();
  await clock.advance(1000);
  await closing;
  expect(await store.deliveries.get(id)).toMatchObject({ state: 'pending', phase: 'sending' });
});

it('resends an event with the same id', async () => {
  const receiving = await createReceiving([400]);
  const { control, sent } = receiving;
  const { body } = await control<{ deliveries: string[] }>('POST', '/events', { type: 'site_view' });
  await idle(receiving);
  type Listed = { id: string; state: string }[];
  expect((await control<Listed>('GET', '/deliveries?failed=true')).body).toMatchObject([{ state: 'failed' }]);
  expect((await control('POST', `/deliveries/${body.deliveries[0]}/resend`)).status).toBe(200);
  await idle(receiving);
  expect(sent.map((one) => (JSON.parse(one.body) as { eventId: string }).eventId)).toEqual([
    JSON.parse(sent[0]?.body ?? '').eventId,
    JSON.parse(sent[0]?.body ?? '').eventId,
  ]);
  expect((await control('POST', '/deliveries/none/resend')).status).toBe(404);
  expect((await control('GET', '/deliveries?state=lost')).status).toBe(400);
});

it('signs an event with both secrets after a rotation', async () => {
  const receiving = await createReceiving();
  const { control, sent, endpoint } = receiving;
  const rotated = await control<{ secret: string }>('POST', `/webhooks/${endpoint.id}/rotate`);
  expect(rotated.body.secret).not.toBe(endpoint.secret);
  await control('POST', `/webhooks/${endpoint.id}/ping`);
  await idle(receiving);
  const [{ body, signature } = { body: '', signature: '' }] = sent;
  const [time = '', ...signatures] = signature.split(',');
  expect(JSON.parse(body)).toMatchObject({ type: 'ping' });
  for (const secret of [endpoint.secret, rotated.body.secret]) {
    expect(signatures.some((one) => isValid({ body, signature: `${time},${one}` }, secret))).toBe(true);
  }
});

it('holds events while their installation is paused or their endpoint is disabled', async () => {
  const receiving = await createReceiving();
  const { control, sent, emulator, endpoint } = receiving;
  emulator.pause('installation_1');
  await emulator.settled();
  await control('POST', `/webhooks/${endpoint.id}/ping`);
  await idle(receiving);
  expect(sent.length).toBe(0);
  emulator.resume('installation_1');
  await emulator.settled();
  await idle(receiving);
  expect(sent.length).toBe(1);
  await control('PATCH', `/webhooks/${endpoint.id}`, { enabled: false });
  await control('POST', '/events', { type: 'site_view' });
  await idle(receiving);
  expect(sent.length).toBe(1);
  expect((await control('POST', `/webhooks/${endpoint.id}/ping`)).status).toBe(409);
  expect((await control('GET', '/webhooks')).body).toMatchObject([{ backlog: { pending: 0, held: 1 } }]);
  await control('PATCH', `/webhooks/${endpoint.id}`, { enabled: true });
  await idle(receiving);
  expect(sent.length).toBe(2);
});

it('holds back events if the loaded or initial state contains a paused installation', async () => {
  const receiving = await createReceiving();
  const { control, sent, emulator, endpoint, store } = receiving;
  const ping = () => control('POST', `/webhooks/${endpoint.id}/ping`);
  await control('PUT', '/snapshots/running');
  emulator.pause('installation_1');
  await control('PUT', '/snapshots/paused');
  await control('POST', '/snapshots/running/load');
  await emulator.settled();
  await ping();
  await idle(receiving);
  expect(sent.length).toBe(1);
  await control('POST', '/snapshots/paused/load');
  await emulator.settled();
  await ping();
  await idle(receiving);
  expect(sent.length).toBe(1);
  await emulator.close();

  // As it is where the platform was killed before its dispatcher heard of the end of the pause.
  const [record] = store.state.list<object>('installations');
  store.state.put('installations', 'installation_1', { ...record?.value, paused: false });
  const next = await startSample(undefined, { store, outside: async () => new Response() });
  await next.emulator.settled();
  await idle(next);
  const { body } = await next.control<{ state: string }[]>('GET', '/deliveries');
  expect(body.map(({ state }) => state)).toEqual(['delivered', 'delivered']);
});

it('removes an endpoint whose installation is missing from a loaded state', async () => {
  const { control, emulator } = await createReceiving();
  await control('DELETE', '/installations/installation_1/sites/site_local');
  await control('PUT', '/snapshots/without');
  await control('POST', '/installations/installation_1/sites/site_local');
  await control('POST', '/webhooks', { site: 'site_local', url: target, events: ['site_view'] });
  await control('POST', '/snapshots/without/load');
  await emulator.settled();
  expect((await control('GET', '/webhooks')).body).toEqual([]);
});

it('lists endpoints, deliveries and failures with the same number of reads, however many there are', async () => {
  const store = createMemoryStore(createVirtualClock(Date.UTC(2026, 0, 1)));
  const reads: string[] = [];
  const readers = ['get', 'body', 'attempts', 'attemptsOf', 'list', 'backlog', 'failures'];
  const deliveries = new Proxy(store.deliveries, {
    get(target, name, receiver) {
      if (readers.includes(String(name))) reads.push(String(name));
      return Reflect.get(target, name, receiver) as unknown;
    },
  });
  const sample = await startSample(undefined, {
    integration: { ...integration, visibility: 'public' },
    store: { ...store, deliveries },
    outside: async () => new Response(null, { status: 400 }),
  });
  const endpoint = { site: 'site_local', url: target, events: ['site_view'] };
  const { body } = await sample.control<{ id: string }>('POST', '/webhooks', endpoint);
  for (let n = 0; n < 20; n += 1) await sample.control('POST', `/webhooks/${body.id}/ping`);
  await sample.emulator.webhooks.use((dispatcher) => dispatcher.idle());

  reads.length = 0;
  expect((await sample.control('GET', '/webhooks')).body).toMatchObject([{ health: { requests: 20 } }]);
  expect(reads).toEqual(['backlog', 'list', 'attemptsOf']);
  reads.length = 0;
  const listed = await sample.control<{ lastResult?: unknown }[]>('GET', '/deliveries');
  expect(listed.body.filter(({ lastResult }) => lastResult !== undefined)).toHaveLength(20);
  expect(reads).toEqual(['list', 'attemptsOf']);
  reads.length = 0;
  const failures = await sample.control('GET', '/deliveries/failures?limit=20');
  expect(failures.body).toMatchObject({
    failed: 20,
    groups: [{ deliveries: 20, newest: { eventType: 'ping', lastResult: { kind: 'answer', status: 400 } } }],
  });
  expect(reads).toEqual(['failures', 'attemptsOf']);
});
