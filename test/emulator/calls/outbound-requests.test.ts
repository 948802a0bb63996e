import { expect, test } from 'vitest';
import { createSample } from '../emulator-under-test.js';

const script = { fetch: async () => new Response('OK') };

test('what comes in one go is one entry, of the version that says it', async () => {
  const { emulator, store, clock, happened } = createSample(script);
  const say = (text: string): void =>
    emulator.observer.log({ callId: undefined, level: 'info', text, time: clock.now() });
  const kept = () => store.traffic.list({ type: 'script' }).map(({ entry }) => entry);
  say('loaded');
  await clock.advance(900);
  say('connected');
  await clock.advance(1_100);
  say('a timer');
  for (let n = 1; n < 150; n += 1) say(`line ${n}`);
  expect(kept().map(({ logs }) => logs.length)).toEqual([2, 100, 50]);
  expect(kept()[0]).toMatchObject({ source: 'script', outcome: 'ok', version: 1 });
  // Each entry is told once, each of its lines with the id of its entry.
  expect(happened.filter(({ type }) => type === 'traffic-started')).toHaveLength(3);
  expect(happened.find(({ type }) => type === 'log')).toEqual({
    type: 'log',
    call: kept()[0]?.id,
    late: true,
    line: { level: 'info', text: 'loaded', time: kept()[0]?.time },
  });
});

test('what a call fetches and says after its answer is kept with it, and told as late', async () => {
  let later = (): void => {};
  const { emulator, store, get, happened } = createSample({
    async fetch() {
      console.log('at once');
      const waits = new Promise<void>((resolve) => (later = resolve));
      void waits.then(() => console.log('afterwards'));
      return new Response('OK');
    },
  });
  await emulator.start();
  await (await get('/v1/integrations/sample/hook')).text();
  later();
  await expect
    .poll(() => happened.filter(({ type }) => type === 'log').at(-1))
    .toMatchObject({
      late: true,
      line: { text: 'afterwards' },
    });
  const [{ entry } = { entry: undefined }] = store.traffic.list({ type: 'fetch' });
  expect(entry?.logs.map(({ text }) => text)).toEqual(['at once', 'afterwards']);
  expect(happened).toContainEqual(expect.objectContaining({ type: 'log', late: false, call: entry?.id }));
  expect(store.traffic.list({ type: 'script' })).toEqual([]);
});

test('an entry of the script alone cannot be replayed', async () => {
  const { emulator, store, control } = createSample(script);
  emulator.observer.log({ callId: undefined, level: 'error', text: 'lost', time: 0 });
  const [{ entry } = { entry: undefined }] = store.traffic.list({ failed: true });
  expect(await control('POST', `/traffic/${entry?.id}/replay`)).toMatchObject({
    status: 409,
    body: { code: 'not_replayable' },
  });
});
