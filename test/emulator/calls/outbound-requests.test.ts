import { expect, test } from 'vitest';
import type { OutboundDetails } from '../../../src/contract/basics/outbound.js';
import { createSample, startSample, integration } from '../emulator-under-test.js';

const script = { fetch: async () => new Response('OK') };

test('groups logs written together into one entry, along with the version that wrote them', async () => {
  const { observer, store, clock, happened } = createSample(script);
  const say = (text: string): void =>
    observer.log({ callId: undefined, level: 'info', text, time: clock.now() });
  const kept = () => store.callLog.list({ type: 'script' }).map(({ call }) => call);
  say('loaded');
  await clock.advance(900);
  say('connected');
  await clock.advance(1_100);
  say('a timer');
  for (let n = 1; n < 150; n += 1) say(`line ${n}`);
  expect(kept().map(({ logs }) => logs.length)).toEqual([2, 100, 50]);
  expect(kept()[0]).toMatchObject({ source: 'script', outcome: 'ok', version: 1 });
  // Each entry is told once, each of its lines with the id of its entry.
  expect(happened.filter(({ type }) => type === 'call-started')).toHaveLength(3);
  expect(happened.find(({ type }) => type === 'log')).toEqual({
    type: 'log',
    call: kept()[0]?.id,
    late: true,
    line: { level: 'info', text: 'loaded', time: kept()[0]?.time },
  });
});

test('stores late outbound requests and logs with the call that they belong to', async () => {
  let later = (): void => {};
  const { store, get, happened } = await startSample({
    async fetch() {
      console.log('at once');
      const waits = new Promise<void>((resolve) => (later = resolve));
      void waits.then(() => console.log('afterwards'));
      return new Response('OK');
    },
  });
  await (await get('/v1/integrations/sample/hook')).text();
  later();
  await expect
    .poll(() => happened.filter(({ type }) => type === 'log').at(-1))
    .toMatchObject({ late: true, line: { text: 'afterwards' } });
  const [{ call: entry } = { call: undefined }] = store.callLog.list({ type: 'fetch' });
  expect(entry?.logs.map(({ text }) => text)).toEqual(['at once', 'afterwards']);
  expect(happened).toContainEqual(expect.objectContaining({ type: 'log', late: false, call: entry?.id }));
  expect(store.callLog.list({ type: 'script' })).toEqual([]);
});

test("lists a call's outbound requests in the order in which they started", async () => {
  const { observer, store, get, control } = await startSample(script);
  await (await get('/v1/integrations/sample/hook')).text();
  const [{ call: entry } = { call: undefined }] = store.callLog.list({ type: 'fetch' });
  const callId = entry?.id ?? '';
  const sizes = { status: 200, durationMs: 1, requestBytes: 0, responseBytes: 0, time: 0 };
  for (const number of [1, 3, 2, 0, undefined])
    observer.outbound({
      callId,
      method: 'GET',
      url: `https://api.example.com/${number}`,
      ...sizes,
      ...(number !== undefined && { number }),
      exchange: { request: { headers: [['x-number', String(number)]] } },
    });
  const { body } = await control<{ outbound: { url: string; details: number }[] }>('GET', `/calls/${callId}`);
  expect(body.outbound.map(({ url }) => url.slice(-1))).toEqual(['0', '1', '2', '3', 'd']);
  for (const { url, details } of body.outbound) {
    const found = await control<OutboundDetails>('GET', `/calls/${callId}/outbound/${details}`);
    expect(found.body.request.headers).toEqual([['x-number', url.slice('https://api.example.com/'.length)]]);
  }
});

test('does not replay a call that has no request', async () => {
  const { observer, store, control } = createSample(script);
  observer.log({ callId: undefined, level: 'error', text: 'lost', time: 0 });
  const [{ call: entry } = { call: undefined }] = store.callLog.list({ severity: ['error'] });
  expect(await control('POST', `/calls/${entry?.id}/replay`)).toMatchObject({
    status: 409,
    body: { code: 'not-replayable' },
  });
});

test('stores an outbound request without its secrets, and truncates long bodies', async () => {
  const { emulator, store, get, control } = await startSample(
    {
      async fetch() {
        const response = await fetch('https://outside.example/token', {
          method: 'POST',
          headers: { authorization: 'Bearer abc-123', 'x-key': 'a-secret-of-the-manifest' },
          body: 'code=1&client_secret=s3',
        });
        await response.text();
        const image = await fetch('https://outside.example/image');
        await image.arrayBuffer();
        return new Response('OK');
      },
    },
    {
      integration: { ...integration, secrets: { KEY: 'a-secret-of-the-manifest' } },
      outside: async (request) =>
        request.url.endsWith('/token')
          ? Response.json({
              access_token: 'at\\"1',
              id_token: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1LTEifQ.c2lnbmF0dXJl',
              note: 'a-secret-of-the-manifest',
              rest: 'é'.repeat(600_000),
            })
          : new Response(new Uint8Array([0xff, 0]), { headers: { 'set-cookie': 'a=b' } }),
    },
  );
  await (await get('/v1/integrations/sample/hook')).text();
  await emulator.settled();
  const [{ call: entry } = { call: undefined }] = store.callLog.list({ type: 'fetch' });
  expect(entry?.outbound.map(({ details }) => details)).toEqual([0, 1]);
  const details = (number: number) =>
    control<OutboundDetails>('GET', `/calls/${entry?.id}/outbound/${number}`);
  const { body: token } = await details(0);
  expect(token.request).toEqual({
    headers: [
      ['authorization', 'Bearer •••'],
      ['content-type', 'text/plain;charset=UTF-8'],
      ['x-key', '•••'],
    ],
    body: { encoding: 'utf-8', content: 'code=1&client_secret=•••' },
  });
  expect(token.response?.body).toMatchObject({ encoding: 'utf-8', cut: true });
  expect(token.response?.body?.content).toMatch(
    /^[{]"access_token":"•••","id_token":"eyJhbGciOiJIUzI1NiJ9[.]eyJzdWIiOiJ1LTEifQ[.]•••","note":"•••","rest":"é{524000,}$/,
  );
  const { body: image } = await details(1);
  expect(image.response).toEqual({
    headers: [['set-cookie', '•••']],
    body: { encoding: 'base64', content: '/wA=' },
  });
  expect(await details(2)).toMatchObject({ status: 404, body: { code: 'not-found' } });
});
