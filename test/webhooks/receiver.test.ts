import { expect, test, vi } from 'vitest';
import { createVirtualClock } from '../../src/base/clock.js';
import {
  createWebhookReceiver,
  signPayload,
  type WebhookEvent,
  type WebhookReceiverOptions,
} from '../../src/webhooks/index.js';
import { createMemorySeen } from '../../src/webhooks/receive/receiver.js';

const secret = 'whsec_1';
const seconds = 1_700_000_000;
const payload = (eventId: string): string =>
  `{"eventId":"${eventId}","type":"space_content_updated","installationId":"i","spaceId":"s","revisionId":"r"}`;

function setUp(options: Partial<WebhookReceiverOptions> = {}) {
  const clock = createVirtualClock(seconds * 1000);
  const handled: string[] = [];
  const errors: unknown[] = [];
  const receiver = createWebhookReceiver({
    secret,
    clock,
    onEvent: (event) => handled.push(event.eventId),
    onError: (error) => errors.push(error),
    ...options,
  });
  const post = async (body: string, { at = seconds, header }: { at?: number; header?: string } = {}) => {
    const signature = header ?? (await signPayload(body, secret, { timestamp: at }));
    const response = await receiver.fetch(
      new Request('https://r.example/hook', {
        method: 'POST',
        headers: { 'x-platform-signature': signature },
        body,
      }),
    );
    return [response.status, response.headers.get('content-type'), await response.text()];
  };
  return { clock, handled, errors, receiver, post };
}

const json = 'application/json';
const received = [200, json, '{"received":true}'];

test('responds with 200 to an event', async () => {
  expect(await setUp().post(payload('a'))).toEqual(received);
});

test.each(['GET', 'PUT', 'HEAD', 'DELETE'])('responds with 405 to %s requests', async (method) => {
  const response = await setUp().receiver.fetch(new Request('https://r.example/', { method }));
  expect([response.status, response.headers.get('allow'), await response.text()]).toEqual([
    405,
    'POST',
    'Method not allowed',
  ]);
});

test.each([
  ['no signature', { header: '' }, '{"error":"Invalid signature (missing)"}'],
  [
    'another one',
    { header: `t=${seconds},v1=${'0'.repeat(64)}` },
    '{"error":"Invalid signature (mismatch)"}',
  ],
  ['a signature that is too old', { at: seconds - 301 }, '{"error":"Invalid signature (too-old)"}'],
  ['a signature too far in the future', { at: seconds + 301 }, '{"error":"Invalid signature (too-new)"}'],
])('responds with 401 to a request with %s', async (_, options, body) => {
  const { post, handled, clock } = setUp();
  expect(await post(payload('a'), options)).toEqual([401, json, body]);
  await clock.advance(1000);
  expect(handled).toEqual([]);
});

test.each([-300, 300])('accepts a timestamp that is off by %s seconds, within the tolerance', async (by) => {
  expect(await setUp().post(payload('a'), { at: seconds + by })).toEqual(received);
});

test.each([
  ['invalid JSON', 'x'],
  ['nothing', ''],
  ['null', 'null'],
  ['a list', '[]'],
  ['no eventId', '{"type":"site_view","installationId":"i"}'],
  ['an eventId that is not a string', '{"eventId":1,"type":"site_view","installationId":"i"}'],
  ['no type', '{"eventId":"e","installationId":"i"}'],
  ['no installationId', '{"eventId":"e","type":"site_view"}'],
])('responds with 400 to a body that contains %s', async (_, body) => {
  expect(await setUp().post(body)).toEqual([400, json, '{"error":"The body is not an event."}']);
});

test('responds with 413 to a body larger than 1 MiB', async () => {
  const { post } = setUp();
  expect(await post('x'.repeat(1024 * 1024 + 1))).toEqual([
    413,
    json,
    '{"error":"The body is too large for an event."}',
  ]);
  expect((await post('x'.repeat(1024 * 1024)))[0]).toBe(400);
});

test('calls onEvent only after responding', async () => {
  const { post, handled, clock } = setUp();
  expect(await post(payload('a'))).toEqual(received);
  expect(handled).toEqual([]);
  await clock.advance(0);
  expect(handled).toEqual(['a']);
});

test('calls onEvent only once for each event', async () => {
  const { post, handled, clock } = setUp();
  const answers = await Promise.all(['a', 'b', 'a', 'a'].map((id) => post(payload(id))));
  expect(answers).toEqual([received, received, received, received]);
  expect(await post(payload('b'), { at: seconds + 9 })).toEqual(received);
  await clock.advance(0);
  expect(handled.toSorted()).toEqual(['a', 'b']);
});

test('passes an error thrown by onEvent to onError', async () => {
  const { post, errors, clock } = setUp({ onEvent: () => Promise.reject(new Error('disk full')) });
  expect(await post(payload('a'))).toEqual(received);
  await clock.advance(0);
  expect(errors).toEqual([new Error('disk full')]);
});

test('logs the error that onError throws after onEvent has failed', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const { post, clock } = setUp({
    onEvent: () => {
      throw new Error('disk full');
    },
    onError: () => {
      throw new Error('log full');
    },
  });
  expect(await post(payload('a'))).toEqual(received);
  await clock.advance(0);
  expect(log).toHaveBeenCalledExactlyOnceWith(
    'The webhook event could not be handled.',
    new Error('log full'),
  );
  log.mockRestore();
});

test("passes the promise for the receiver's work to the host's waitUntil", async () => {
  const { receiver, handled, clock } = setUp();
  const waiting: Promise<unknown>[] = [];
  const body = payload('a');
  const headers = { 'x-platform-signature': await signPayload(body, secret, { timestamp: seconds }) };
  const request = new Request('https://r.example/', { method: 'POST', headers, body });
  await receiver.fetch(request, {}, { waitUntil: (promise) => waiting.push(promise) });
  await clock.advance(0);
  await Promise.all(waiting);
  expect([waiting.length, handled]).toEqual([1, ['a']]);
});

test('with await: true, responds only after onEvent has finished', async () => {
  const { post, handled } = setUp({ await: true });
  expect(await post(payload('a'))).toEqual(received);
  expect(handled).toEqual(['a']);
});

test('with await: true, responds with 500 if onEvent fails, and does not record the event as seen', async () => {
  let fail = true;
  const events: WebhookEvent[] = [];
  const { post, errors } = setUp({
    await: true,
    onEvent: async (event) => {
      if (fail) throw new Error('later');
      events.push(event);
    },
  });
  expect(await post(payload('a'))).toEqual([500, json, '{"error":"The event could not be handled."}']);
  expect(errors).toEqual([new Error('later')]);
  fail = false;
  expect(await post(payload('a'))).toEqual(received);
  expect(await post(payload('a'))).toEqual(received);
  expect(events.map(({ eventId }) => eventId)).toEqual(['a']);
});

test.each([
  ['succeeds', 200],
  ['fails', 500],
])('with await: true, if an event comes again before onEvent %s, both get %i', async (_, status) => {
  let end = (): void => {};
  const work = new Promise<void>((succeed, fail) => {
    end = () => (status === 200 ? succeed() : fail(new Error('later')));
  });
  const onEvent = vi.fn(() => work);
  const { post } = setUp({ await: true, onEvent });
  const sign = vi.spyOn(crypto.subtle, 'sign');
  const responses = [post(payload('a')), post(payload('a'))];
  // For each request, `sign` is called by this test and by the receiver. After that, both requests wait only for `onEvent`.
  await vi.waitFor(() => expect(sign).toHaveBeenCalledTimes(4));
  await Promise.all(sign.mock.results.map(({ value }) => value as Promise<ArrayBuffer>));
  await new Promise((turn) => setImmediate(turn));
  end();
  expect((await Promise.all(responses)).map(([got]) => got)).toEqual([status, status]);
  expect(onEvent).toHaveBeenCalledTimes(1);
  sign.mockRestore();
});

test('remembers an event id as long as a signature may be valid, however many ids there are', async () => {
  const clock = createVirtualClock(1_000_000);
  const seen = createMemorySeen({ most: 2, forMs: 600_000, clock });
  for (let n = 0; n < 20_000; n += 1) await seen.add(`evt_${n}`);
  await clock.advance(600_000);
  await seen.add('another');
  expect(seen.add('evt_0')).toBe(false);
  await clock.advance(1);
  await seen.add('one more');
  expect([seen.add('evt_19999'), seen.add('another')]).toEqual([true, false]);
});

test('forgets the oldest event ids first once the limit is exceeded', async () => {
  const seen = createMemorySeen({ most: 2, forMs: -1, clock: createVirtualClock() });
  const added = ['a', 'b', 'a', 'c', 'b', 'a', 'c'].map((id) => seen.add(id));
  expect(added).toEqual([true, true, false, true, false, true, false]);
  await seen.delete('c');
  expect(seen.add('c')).toBe(true);
});

test('remembers event ids in a custom store', async () => {
  const ids = new Set(['old']);
  const seen = {
    add: async (id: string) => !ids.has(id) && Boolean(ids.add(id)),
    delete: async (id: string) => ids.delete(id),
  };
  const { post, handled } = setUp({ seen, await: true });
  for (const id of ['old', 'new', 'new']) expect(await post(payload(id))).toEqual(received);
  expect([handled, [...ids]]).toEqual([['new'], ['old', 'new']]);
});
