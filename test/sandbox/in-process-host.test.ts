import { expect, test } from 'vitest';
import {
  createInProcessHost,
  type InProcessHostOptions,
  type ScriptOutbound,
  type ScriptLog,
} from '../../src/sandbox/index.js';
import { environment, event } from './sample-call.js';

type Observed = { logs: ScriptLog[]; outbound: ScriptOutbound[] };

function start(
  fetch: InProcessHostOptions['integration']['fetch'],
  options: Partial<InProcessHostOptions> = {},
): ReturnType<typeof createInProcessHost> & Observed {
  const logs: ScriptLog[] = [];
  const outbound: ScriptOutbound[] = [];
  const host = createInProcessHost({
    integration: { fetch },
    observer: {
      mask: (text) => text.replaceAll('canary-secret', '•••'),
      log: (entry) => logs.push(entry),
      outbound: (entry) => outbound.push(entry),
      background: () => {},
    },
    ...options,
  });
  return { ...host, logs, outbound };
}

test('passes the same envelope to the script as in a separate process', async () => {
  const host = start(async (request) => {
    const form = await request.formData();
    const body = form.get('fetch-body') as File;
    return Response.json([
      request.method,
      new URL(request.url).pathname,
      JSON.parse(form.get('event') as string),
      [...new Uint8Array(await body.arrayBuffer())],
    ]);
  });
  const response = await host.call({ id: 'c1', event, environment, body: new Uint8Array([0, 255, 13, 10]) });
  expect(await response.json()).toEqual(['POST', '/v1', event, [0, 255, 13, 10]]);
  await host.close();
});

test('passes a raw request to the script unchanged', async () => {
  const host = start(async (request) => new Response(await request.text()));
  const response = await host.raw('c1', new Request('http://x/v1', { method: 'POST', body: 'whatever' }));
  expect(await response.text()).toBe('whatever');
  await host.close();
});

test('assigns logs and outbound requests to their call and their host', async () => {
  const stub: typeof fetch = async () => new Response('stubbed');
  const talk = (name: string) => async () => {
    await Promise.resolve();
    console.warn(name, environment.secrets['KEY']);
    return fetch('https://example.com/canary-secret');
  };
  const one = start(talk('one'), { fetch: stub });
  const two = start(talk('two'), { fetch: stub });
  const [response] = await Promise.all([
    one.call({ id: 'c1', event, environment }),
    two.call({ id: 'c2', event, environment }),
  ]);
  expect(await response.text()).toBe('stubbed');
  await one.settled();
  await two.settled();
  console.log('said by the test itself');
  expect(one.logs).toMatchObject([{ callId: 'c1', level: 'warn', text: 'one •••' }]);
  expect(two.logs).toMatchObject([{ callId: 'c2', level: 'warn', text: 'two •••' }]);
  expect(one.outbound).toMatchObject([{ callId: 'c1', url: 'https://example.com/•••', status: 200 }]);
  await one.close();
  await two.close();
});

test('responds with 500 if the script throws, and logs the exception', async () => {
  const host = start(() => {
    throw new Error('no luck');
  });
  const response = await host.call({ id: 'c1', event, environment });
  expect([response.status, await response.json()]).toEqual([500, { error: 'Internal server error' }]);
  expect(host.logs[0]?.text).toMatch(/^Error: no luck\n/);
  await host.close();
});

test('waits for waitUntil promises when the host closes, and restores the globals', async () => {
  const before = { log: console.log, fetch: globalThis.fetch };
  let done = false;
  const host = start((_request, _env, context) => {
    context?.waitUntil(new Promise((resolve) => setTimeout(resolve, 30)).then(() => (done = true)));
    context?.waitUntil(Promise.reject(new Error('late')));
    return new Response('');
  });
  await host.call({ id: 'c1', event, environment });
  expect(console.log).not.toBe(before.log);
  expect(done).toBe(false);
  await host.close();
  expect(done).toBe(true);
  expect(host.logs[0]?.text).toMatch(/^A promise passed to waitUntil was rejected: Error: late/);
  expect({ log: console.log, fetch: globalThis.fetch }).toEqual(before);
});
