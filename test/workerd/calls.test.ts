import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { environment, event, script } from '../sandbox/sample-call.js';
import { startSandbox, type Started } from '../sandbox/start-sandbox.js';
import { serve } from '../support/serve.js';
import { testRuntime } from './installed-workerd.js';

const start = async (options: Parameters<typeof startSandbox>[0] = {}): Promise<Started> =>
  startSandbox({ runtime: await testRuntime(), ...options });

test('passes the envelope to the script and returns its response', async () => {
  const { sandbox, send } = await start();
  await sandbox.load(
    script(
      `return new Response([body, JSON.parse(form.get('event')).type, request.url, request.headers.get('host'), request.cf].join(' '), { status: 201, headers: [['x-a', 'b'], ['set-cookie', 'a=1'], ['set-cookie', 'b=2']] })`,
    ),
  );
  const response = await sandbox.call({ id: 'c', event, environment, body: new TextEncoder().encode('hi') });
  expect(await response.text()).toBe('hi fetch http://localhost/v1 localhost ');
  expect([response.status, response.headers.get('x-a'), response.headers.getSetCookie()]).toEqual([
    201,
    'b',
    ['a=1', 'b=2'],
  ]);
  expect((await send('again')).status).toBe(201);
});

test('keeps the method, URL and headers of a raw request', async () => {
  const { sandbox } = await start();
  await sandbox.load({
    code: `export default { fetch: async (request) => Response.json([request.method, request.url, request.headers.get('x-a'), await request.text()]) }`,
  });
  const request = new Request('http://127.0.0.1:4100/v1?a=b', {
    method: 'PUT',
    headers: { 'x-a': '1' },
    body: 'text',
  });
  expect(await (await sandbox.raw('raw', request)).json()).toEqual([
    'PUT',
    'http://127.0.0.1:4100/v1?a=b',
    '1',
    'text',
  ]);
});

test('streams bodies in both directions, and delivers 8 MiB byte for byte', async () => {
  const { sandbox } = await start();
  await sandbox.load({ code: `export default { fetch: (request) => new Response(request.body) }` });
  const piece = Uint8Array.from({ length: 64 * 1024 }, (_, n) => n % 251);
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent++ === 128) controller.close();
      else controller.enqueue(piece);
    },
  });
  const init = { method: 'POST', body, duplex: 'half' } as RequestInit;
  const response = await sandbox.raw('big', new Request('http://localhost/v1', init));
  const bytes = new Uint8Array(await response.arrayBuffer());
  expect(bytes.length).toBe(128 * piece.length);
  expect(bytes.subarray(-piece.length)).toEqual(piece);
});

test('logs each line with its level and call, and masks secrets', async () => {
  const { sandbox, send, logs, logged } = await start();
  await sandbox.load(
    script(`
      console.log('hello %s', 'you', { a: 1 }, new Map([[1, 2]]));
      console.debug(' x', 1);
      console.warn({ secret: 'canary-secret' });
      await new Promise((resolve) => setTimeout(resolve, 5));
      console.error('two\\nlines');
      console.trace('here');
      console.assert(1 === 2, 'never');
      return new Response('')`),
  );
  await send('', 'call_1');
  await logged('never');
  expect(logs.map(({ callId, level, text }) => [callId, level, text.split('\n    at ')[0]])).toEqual([
    ['call_1', 'info', 'hello you { a: 1 } Map(1) { 1 => 2 }'],
    ['call_1', 'debug', ' x 1'],
    ['call_1', 'warn', "{ secret: '•••' }"],
    ['call_1', 'error', 'two\nlines'],
    ['call_1', 'error', 'Trace: here '],
    ['call_1', 'warn', 'Assertion failed never'],
  ]);
});

const sources = `{"version":3,"sources":["src/index.ts"],"names":[],"mappings":"${';AACA'.repeat(12)}"}`;

test("logs a call's errors, rejections and unfinished work with the author's line", async () => {
  const { sandbox, send, logs, logged } = await start();
  const { code } = script(
    `context.waitUntil((async () => { await 1; throw new Error('late', { cause: new Error('why') }); })());
    Promise.reject(new Error('floating'));
    throw new TypeError('broken');`,
  );
  await sandbox.load({ code, map: sources });
  expect(await send('', 'call_1')).toEqual({ status: 500, text: '{"error":"Internal server error"}' });
  await logged('late');
  await logged('floating');
  for (const { text, callId, level } of logs) {
    expect(text).toMatch(/src\/index[.]ts:\d+:1/);
    expect(text).not.toContain('worker.mjs');
    expect([callId, level]).toEqual(['call_1', 'error']);
  }
  expect(logs.map(({ text }) => text.split('\n')[0])).toEqual(
    expect.arrayContaining([
      'A promise passed to waitUntil was rejected: Error: late',
      'TypeError: broken',
      'Unhandled promise rejection: Error: floating',
    ]),
  );
});

test.each([
  [
    'throw new Error("at load", { cause: new Error("why") })',
    /^Error: at load\n {4}at src\/index.ts[^]*cause\]: Error: why/,
  ],
  ['export default {', /^SyntaxError: Unexpected end of input/],
  ['export default 5', /^TypeError: The script has no default export with a `fetch` method/],
  ['setTimeout(() => {}, 1)', /^Error: Disallowed operation called within global scope[^]*src\/index.ts/],
  ['eval("1")', /^EvalError: Code generation from strings disallowed[^]*src\/index.ts/],
  ['await new Promise(() => {})', /^Error: Top-level await in module is unsettled/],
])('explains why a script cannot be loaded: %s', async (code, message) => {
  const { sandbox, send } = await start();
  await sandbox.load(script(`return new Response('before')`));
  const failure = await sandbox.load({ code: `\n${code}`, map: sources }).catch((error: Error) => error);
  expect(failure).toBeInstanceOf(Error);
  expect((failure as Error).message).toMatch(message);
  expect((await send('')).text).toBe('before');
});

test('does not accumulate listeners while a script reads a long response slowly', async () => {
  const warnings: string[] = [];
  const note = ({ message }: Error): void => void warnings.push(message);
  process.on('warning', note);
  const piece = new Uint8Array(256 * 1024);
  const server = await serve(() => {
    let left = 128;
    const pull = (controller: ReadableStreamDefaultController): void =>
      left-- > 0 ? controller.enqueue(piece) : controller.close();
    return new Response(new ReadableStream({ pull }));
  });
  const { sandbox, send } = await start();
  await sandbox.load(
    script(`
      let length = 0;
      for await (const part of (await fetch('${server.url}')).body) length += part.length;
      return new Response(String(length));`),
  );
  expect((await send('')).text).toBe(String(128 * piece.length));
  await server.close();
  process.off('warning', note);
  expect(warnings).toEqual([]);
});

test('assigns each outbound request to its call, including redirects', async () => {
  const server = await serve((request) => {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith('/from')) return Response.redirect(request.url.replace('/from', '/to'), 302);
    return new Response('there');
  });
  const { sandbox, send, outbound } = await start();
  await sandbox.load(
    script(`
      const requests = Array.from({ length: 3 }, async (_, n) => {
        await new Promise((resolve) => setTimeout(resolve, n));
        return (await fetch('${server.url}/from/' + body + n)).text();
      });
      context.waitUntil(fetch('${server.url}/to/late' + body).then((late) => late.text()));
      return new Response((await Promise.all(requests)).join(' '))`),
  );
  const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => send(`c${n}-`, `c${n}-`)));
  expect(new Set(answers.map(({ text }) => text))).toEqual(new Set(['there there there']));
  await expect.poll(() => outbound.length).toBe(30 * 7);
  expect(outbound.filter(({ callId, url }) => !url.includes(String(callId)))).toEqual([]);
  console.log(`outbound requests: ${outbound.length} of ${30 * 7} belong to their call, redirects included`);
  expect(outbound[0]).toMatchObject({ method: 'GET', requestBytes: 0 });
  await server.close();
});

test('numbers outbound requests in the order in which the script starts them', async () => {
  const { url: origin } = await serve(async (request) => new Response(`${(await request.text()).length}`));
  const { sandbox, send, outbound } = await start();
  await sandbox.load(
    script(
      `const big = new Uint8Array(900_000);
       const sent = [fetch('${origin}/first', { method: 'POST', body: big }), fetch('${origin}/second'), fetch('${origin}/third')];
       for (const response of await Promise.all(sent)) await response.text();
       return new Response('')`,
    ),
  );
  await send('');
  await expect.poll(() => outbound).toHaveLength(3);
  const order = outbound.map(({ url, number }) => `${number} ${new URL(url).pathname}`).toSorted();
  expect(order).toEqual(['0 /first', '1 /second', '2 /third']);
});

test('records an outbound request that fails, and throws the error in the script', async () => {
  const closed = await serve(() => new Response(''));
  await closed.close();
  const { sandbox, send, outbound } = await start();
  await sandbox.load(
    script(`
      const failed = await fetch('${closed.url}').catch(String);
      return new Response(failed)`),
  );
  expect((await send('', 'call_1')).text).toBe('Error: Network connection lost.');
  expect(outbound).toEqual([
    expect.objectContaining({ callId: 'call_1', status: 0, error: expect.stringContaining('ECONNREFUSED') }),
  ]);
});

test('records outbound headers and bodies, and the work passed to waitUntil', async () => {
  const { sandbox, send, outbound, background, logs } = await start();
  const server = await serve(async () => new Response('thanks', { headers: { 'x-reply': 'yes' } }));
  await sandbox.load(
    script(`
      const init = { method: 'POST', headers: { 'x-a': '1' }, body: 'news' };
      await (await fetch('${server.url}/in', init)).text();
      context.waitUntil(Promise.reject(new Error('locked')));
      return new Response('')`),
  );
  await send('', 'c5');
  await expect.poll(() => background).toHaveLength(2);
  await server.close();
  const text = (base64 = ''): string => Buffer.from(base64, 'base64').toString();
  const { request, response } = outbound[0]?.exchange ?? {};
  expect([text(request?.body), text(response?.body)]).toEqual(['news', 'thanks']);
  expect(request?.headers).toContainEqual(['x-a', '1']);
  expect(response?.headers).toContainEqual(['x-reply', 'yes']);
  expect(background).toMatchObject([
    { callId: 'c5', number: 0 },
    { number: 0, error: 'locked' },
  ]);
  expect(background[1]?.durationMs).toBeGreaterThanOrEqual(0);
  expect(logs.filter(({ text: line }) => line.includes('"number"'))).toEqual([]);
});

test('blocks network access through sockets and the cache', async () => {
  const { sandbox, send } = await start();
  await sandbox.load(
    script(`
      const { connect } = await import('cloudflare:sockets');
      const socket = connect({ hostname: '127.0.0.1', port: 80 });
      const results = await Promise.all([
        socket.opened.then(() => 'open', () => 'refused'),
        caches.default.match('http://127.0.0.1/').then(() => 'open', () => 'refused'),
      ]);
      return new Response(results.join())`),
  );
  expect((await send('')).text).toBe('refused,refused');
});

test('sends a request that is marked as part of the OAuth flow to the built-in provider', async () => {
  const seen: string[] = [];
  const server = await serve(async (request) => {
    seen.push(`${request.method} ${new URL(request.url).pathname} ${await request.text()}`);
    return Response.json({ access_token: 'at' });
  });
  const { sandbox, send } = await start({
    outbound: { reroutes: [{ marker: 'code=local', url: `${server.url}/oauth/token` }], details: true },
  });
  await sandbox.load(
    script(`
      const answer = await fetch('https://provider.invalid/token', { method: 'POST', body: new URLSearchParams({ code: 'local' }) });
      return new Response(await answer.text())`),
  );
  expect((await send('')).text).toBe('{"access_token":"at"}');
  expect(seen).toEqual(['POST /oauth/token code=local']);
  await server.close();
});

test('lets a new script take over without dropping requests or waitUntil work', async () => {
  const server = await serve(() => new Response('noted'));
  const { sandbox, send, outbound } = await start();
  const version = (n: number): { code: string } =>
    script(`
      context.waitUntil(new Promise((resolve) => setTimeout(resolve, 100)).then(() => fetch('${server.url}/${n}')));
      return new Response('${n}')`);
  await sandbox.load(version(0));
  const stop = new AbortController();
  const statuses = new Set<number>();
  const clients = Array.from({ length: 4 }, async () => {
    while (!stop.signal.aborted) statuses.add((await send('')).status);
  });
  for (let n = 1; n <= 5; n += 1) {
    await sandbox.load(version(n));
    expect((await send('')).text).toBe(String(n));
    await sleep(50);
  }
  stop.abort();
  await Promise.all(clients);
  await sandbox.close();
  expect([...statuses]).toEqual([200]);
  expect(new Set(outbound.map(({ url }) => url.at(-1)))).toEqual(new Set(['0', '1', '2', '3', '4', '5']));
  await server.close();
});

test('ends a call when the client disconnects', async () => {
  const { sandbox } = await start();
  await sandbox.load(
    script(`await new Promise((resolve) => setTimeout(resolve, 5000)); return new Response('')`),
  );
  const leave = new AbortController();
  const call = sandbox.call({ id: 'c', event, environment, signal: leave.signal });
  await sleep(50);
  leave.abort(new Error('gone'));
  await expect(call).rejects.toThrow('gone');
});
