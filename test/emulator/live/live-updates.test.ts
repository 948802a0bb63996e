import { expect, it } from 'vitest';
import { controlToken, createSample, integration, type Sample } from '../emulator-under-test.js';

interface Message {
  event: string;
  id: string;
  data: { type?: string; call?: { type: string; status?: number } | string };
}

async function listen({ get }: Sample, lastEventId?: string) {
  const headers = { 'x-platform-token': controlToken, ...(lastEventId && { 'last-event-id': lastEventId }) };
  const response = await get('/console/api/stream', { headers });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  return {
    response,
    async next(): Promise<Message> {
      while (!rest.includes('\n\n')) {
        const { done, value } = (await reader?.read()) ?? { done: true };
        if (done) throw new Error('The stream has ended.');
        rest += value;
      }
      const end = rest.indexOf('\n\n');
      const fields = rest
        .slice(0, end)
        .split('\n')
        .map((line) => line.split(': '));
      rest = rest.slice(end + 2);
      const {
        event = '',
        id = '',
        data = '{}',
      } = Object.fromEntries(fields.map(([name, ...value]) => [name, value.join(': ')])) as Record<
        string,
        string
      >;
      return { event, id, data: JSON.parse(data) as Message['data'] };
    },
    cancel: () => reader?.cancel(),
  };
}

const hit = ({ get }: Sample, path = 'x') => get(`/v1/integrations/sample/${path}`);

it('sends every change to the console', async () => {
  const sample = createSample();
  const stream = await listen(sample);
  expect(stream.response.headers.get('content-type')).toBe('text/event-stream');
  expect((await stream.next()).event).toBe('hello');
  await (await hit(sample)).text();
  const started = await stream.next();
  expect(started).toMatchObject({ event: 'call-started', data: { call: { type: 'fetch' } } });
  expect(await stream.next()).toMatchObject({
    event: 'call-finished',
    data: { call: { type: 'fetch', status: 200 } },
  });
  await stream.cancel();
});

it('reports the line of a call’s problem even if the problem only becomes known after the call', async () => {
  const sample = createSample();
  const stream = await listen(sample);
  await stream.next();
  await (await hit(sample)).text();
  await stream.next();
  await stream.next();
  const [{ call: entry } = { call: undefined }] = sample.store.callLog.list({ type: 'fetch' });
  const callId = entry?.id;
  sample.observer.background({ callId, number: 0, time: 0, durationMs: 1, error: 'Error: No index.' });
  expect(await stream.next()).toMatchObject({ event: 'call-changed', data: { call: callId } });
  const text = 'A promise passed to waitUntil was rejected: Error: No index.\n    at run (src/index.ts:4:3)';
  sample.observer.log({ callId, level: 'error', text, time: 0 });
  expect(await stream.next()).toMatchObject({ event: 'call-changed', data: { call: callId } });
  await stream.cancel();
});

it('sends valid JSON even if a secret matches part of a number or a key', async () => {
  const secrets = { DIGITS: '1767', WORD: 'entr' };
  const sample = createSample(undefined, { integration: { ...integration, secrets } });
  const stream = await listen(sample);
  await stream.next();
  await (await hit(sample)).text();
  expect(await stream.next()).toMatchObject({ data: { call: { type: 'fetch', time: sample.clock.now() } } });
  await stream.cancel();
});

it('sends missed messages when a reader reconnects', async () => {
  const sample = createSample();
  const first = await listen(sample);
  const hello = await first.next();
  await (await hit(sample)).text();
  const started = await first.next();
  await first.cancel();
  await (await hit(sample)).text();

  const second = await listen(sample, started.id);
  expect((await second.next()).event).toBe('hello');
  const missed = [await second.next(), await second.next(), await second.next()];
  expect(missed.map(({ event }) => event)).toEqual(['call-finished', 'call-started', 'call-finished']);
  await second.cancel();
  const third = await listen(sample, hello.id);
  await third.next();
  expect((await third.next()).id).toBe(started.id);
  await third.cancel();
  // Without the start, which only this platform knows.
  const fourth = await listen(sample, hello.id.split('.')[1]);
  expect(await fourth.next()).toMatchObject({ event: 'hello', id: hello.id });
  expect((await fourth.next()).id).toBe(started.id);
  await fourth.cancel();
});

it('tells the reader about a restart, or about too many missed messages', async () => {
  const sample = createSample();
  const first = await listen(sample);
  const { id } = await first.next();
  await first.cancel();
  for (let i = 0; i < 2100; i += 1) await (await hit(sample)).text();
  const late = await listen(sample, id);
  expect((await late.next()).event).toBe('reset');
  await late.cancel();
  const restarted = await listen(createSample(), id);
  expect((await restarted.next()).event).toBe('reset');
  await restarted.cancel();
});

it('sends heartbeats while idle, and stops when the platform stops', async () => {
  const sample = createSample();
  const response = await sample.get('/console/api/stream', { headers: { 'x-platform-token': controlToken } });
  const reader = response.body?.getReader();
  await reader?.read();
  const beat = reader?.read();
  await sample.clock.advance(15_000);
  expect(Buffer.from((await beat)?.value ?? []).toString()).toBe(': still here\n\n');
  const end = reader?.read();
  await sample.emulator.close();
  expect((await end)?.done).toBe(true);
});

it('keeps the start of a version when a later save is broken', async () => {
  const { emulator, control, clock } = createSample();
  emulator.reload(integration, 'first');
  const since = clock.now();
  await clock.advance(5000);
  emulator.reportBuild({ ok: false, what: 'script', time: clock.now(), problems: [] });
  expect((await control('GET', '/overview')).body).toMatchObject({ versionSince: since });
  emulator.reload(integration, 'second');
  expect((await control('GET', '/overview')).body).toMatchObject({ versionSince: since + 5000 });
});

it.each([
  [0, 1],
  [1, 2],
])('begins a new version after %i calls without a working build', async (calls, version) => {
  const { emulator, get, control } = createSample();
  for (let call = 0; call < calls; call += 1) await get('/v1/integrations/sample/x');
  emulator.reload(integration, 'first');
  expect((await control('GET', '/overview')).body).toMatchObject({ version });
});
