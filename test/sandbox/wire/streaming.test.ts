import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { createVirtualClock } from '../../../src/base/clock.js';
import { environment, event, script } from '../sample-call.js';
import { startSandbox } from '../start-sandbox.js';

const text = new TextDecoder();
const bytes = new TextEncoder();

test('sends the status and headers first, then streams the body', async () => {
  const { sandbox, send } = await startSandbox();
  await sandbox.load(
    script(
      `
      if (body) {
        body === 'end' ? controller.close() : controller.enqueue(new TextEncoder().encode(body));
        return new Response('');
      }
      const stream = new ReadableStream({ start: (started) => void (controller = started) });
      return new Response(stream, { headers: { 'content-type': 'text/event-stream' } });`,
      'let controller;',
    ),
  );
  const response = await sandbox.call({ id: 'c1', event, environment });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const reader = response.body?.getReader();
  for (const part of ['one', 'two', 'three']) {
    await send(part);
    expect(text.decode((await reader?.read())?.value)).toBe(part);
  }
  await send('end');
  expect((await reader?.read())?.done).toBe(true);
});

test('cancels the script’s stream when the caller disconnects', async () => {
  const { sandbox, logged } = await startSandbox();
  await sandbox.load(
    script(`
      return new Response(new ReadableStream({
        async pull(controller) {
          await new Promise((resolve) => setTimeout(resolve, 10));
          controller.enqueue(new Uint8Array(1000));
        },
        cancel() { console.log('cancelled'); },
      }));`),
  );
  const response = await sandbox.call({ id: 'c1', event, environment });
  const reader = response.body?.getReader();
  await reader?.read();
  await reader?.cancel();
  await logged('cancelled');
});

test('lets a script read part of a body and ignore the rest', async () => {
  const { sandbox, logs } = await startSandbox();
  await sandbox.load({
    code: `export default { async fetch(request) {
      const reader = request.body.getReader();
      await reader.read();
      await reader.cancel();
      await new Promise((resolve) => setTimeout(resolve, 100));
      return new Response('enough');
    } };`,
  });
  const body = new Uint8Array(8 * 1024 * 1024);
  const response = await sandbox.call({ id: 'c1', event, environment, body });
  expect(await response.text()).toBe('enough');
  expect(logs).toEqual([]);
});

test('lets a call be canceled before its response', async () => {
  const { sandbox } = await startSandbox();
  await sandbox.load(script(`await new Promise(() => {})`));
  const over = new AbortController();
  const call = sandbox.call({ id: 'c1', event, environment, signal: over.signal });
  await sleep(50);
  over.abort(new Error('enough'));
  await expect(call).rejects.toThrow('enough');
  const late = sandbox.call({ id: 'c2', event, environment, signal: over.signal });
  await expect(late).rejects.toThrow('enough');
});

test('reports an error to the reader if a response body fails midway', async () => {
  const { sandbox, logged } = await startSandbox();
  await sandbox.load(
    script(`
      let sent = false;
      return new Response(new ReadableStream({
        async pull(controller) {
          await new Promise((resolve) => setTimeout(resolve, 20));
          if (sent) throw new Error('out of paper');
          sent = true;
          controller.enqueue(new Uint8Array(10));
        },
      }));`),
  );
  const response = await sandbox.call({ id: 'c1', event, environment });
  await expect(response.arrayBuffer()).rejects.toThrow();
  await logged('The response body failed: Error: out of paper');
});

test('does not count the time that a slow body takes toward the time limit', async () => {
  const clock = createVirtualClock();
  const { sandbox } = await startSandbox({ timers: clock });
  await sandbox.load(script(`return new Response(body)`));
  let give = (_piece: string | undefined): void => {};
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      give = (piece) => (piece === undefined ? controller.close() : controller.enqueue(bytes.encode(piece)));
    },
  });
  const call = sandbox.call({ id: 'c1', event, environment, body });
  for (const piece of ['a', 'b', 'c']) {
    await clock.advance(20_000);
    give(piece);
  }
  await clock.advance(20_000);
  give(undefined);
  expect(await (await call).text()).toBe('abc');
});

test('lets a script respond before the request body has arrived', async () => {
  const clock = createVirtualClock();
  const { sandbox } = await startSandbox({ timers: clock });
  await sandbox.load({ code: `export default { fetch: () => new Response('early') };` });
  let give = (_piece: string | undefined): void => {};
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      give = (piece) => (piece === undefined ? controller.close() : controller.enqueue(bytes.encode(piece)));
    },
  });
  const response = await sandbox.call({ id: 'c1', event, environment, body });
  expect(await response.text()).toBe('early');
  give('a');
  await clock.advance(60_000);
  expect(clock.waiting().count).toBe(0);
  give(undefined);
  expect(await (await sandbox.call({ id: 'c2', event, environment })).text()).toBe('early');
});

test.each([
  ['no body', `new Response(null, { status: 204 })`, 204, ''],
  ['a wrong content length', `new Response('abcdef', { headers: { 'content-length': '3' } })`, 200, 'abcdef'],
  ['a body of bytes', `new Response(new Uint8Array([97, 98]))`, 200, 'ab'],
  [
    'a body of many small chunks',
    `new Response(ReadableStream.from(['a', 'b', 'c'].map((s) => new TextEncoder().encode(s))))`,
    200,
    'abc',
  ],
  ['a large text body', `new Response('x'.repeat(300_000))`, 200, 'x'.repeat(300_000)],
  ['a string instead of a response', `'text'`, 500, '{"error":"Internal server error"}'],
  ['an error response', `Response.error()`, 500, '{"error":"Internal server error"}'],
])('returns the correct status and body for %s', async (_, answer, status, body) => {
  const { sandbox, send } = await startSandbox();
  await sandbox.load(script(`return ${answer}`));
  expect(await send('')).toEqual({ status, text: body });
  expect(await send('')).toEqual({ status, text: body });
});

test.each([
  [
    'a chunk that is not bytes',
    `new Response(new ReadableStream({ start(c) { c.enqueue('text'); c.close(); } }))`,
    "The response body failed: TypeError: The response body contains a chunk that is not a Uint8Array: 'text'",
  ],
  [
    'an invalid header',
    `new Response('', { headers: { 'x-a': 'a\\u0001b' } })`,
    'TypeError: The header x-a contains a character that HTTP does not allow.',
  ],
  [
    'headers that are too large',
    `new Response('', { headers: { 'x-a': 'a'.repeat(2_000_000) } })`,
    'RangeError: A message head of',
  ],
  [
    'a body that the script has already read',
    `await (async (answer) => (await answer.text(), answer))(new Response('read'))`,
    'The response body failed: TypeError',
  ],
  [
    'a forged status',
    `Object.defineProperty(new Response(''), 'status', { value: 101 })`,
    'RangeError: The status 101 is not a number from 200 to 599.',
  ],
  [
    'a forged header name',
    `Object.defineProperty(new Response(''), 'headers', { value: [['x\\r\\ny', 'z']] })`,
    'contains a character that HTTP does not allow.',
  ],
])('returns an error instead of a response with %s, and logs why', async (_, answer, why) => {
  const { sandbox, send, logged } = await startSandbox();
  await sandbox.load(script(`return body ? ${answer} : new Response('fine')`));
  expect(await send('go')).toEqual({ status: 500, text: '{"error":"Internal server error"}' });
  await logged(why);
  expect(await send('')).toEqual({ status: 200, text: 'fine' });
});

test('responds to HEAD with a content length but no body', async () => {
  const { sandbox, logged } = await startSandbox();
  await sandbox.load({
    code: `export default { fetch: ({ url }) => new Response(
      url.endsWith('long') ? new ReadableStream({ cancel() { console.log('cancelled'); } }) : 'abcde',
    ) };`,
  });
  const ask = async (path: string): Promise<unknown[]> => {
    const answer = await sandbox.raw('c1', new Request(`http://localhost/${path}`, { method: 'HEAD' }));
    return [answer.headers.get('content-length'), await answer.text()];
  };
  expect(await ask('short')).toEqual(['5', '']);
  expect(await ask('long')).toEqual([null, '']);
  await logged('cancelled');
});

test('does not buffer an unread response or let it delay other responses', async () => {
  const { sandbox, send, logs } = await startSandbox();
  await sandbox.load(
    script(
      `if (body) return new Response(String(made));
      return new Response(new ReadableStream({ pull(controller) {
        made += 1;
        if (made > 1024) controller.close();
        else controller.enqueue(new Uint8Array(64 * 1024));
      } }));`,
      'let made = 0;',
    ),
  );
  const slow = await sandbox.call({ id: 'c1', event, environment });
  for (let n = 0; n < 10; n += 1) expect(Number((await send('how many?')).text)).toBeLessThan(12);
  expect((await slow.arrayBuffer()).byteLength).toBe(64 * 1024 * 1024);
  expect(logs).toEqual([]);
});

test('delivers a 64 MiB body byte for byte without buffering all of it', async () => {
  const { sandbox } = await startSandbox();
  const { outputFiles } = await build({
    stdin: {
      contents: `
        import { decodeEnvelope } from './envelope/decode-envelope.js';
        export default {
          async fetch(request) {
            const { body } = await decodeEnvelope(request);
            const hash = (await import('node:crypto')).createHash('sha256');
            return new Response(hash.update(body).digest('hex'));
          },
        };`,
      resolveDir: new URL('../../../src/protocol', import.meta.url).pathname,
    },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
  });
  await sandbox.load({ code: outputFiles[0]?.text ?? '' });
  const size = 64 * 1024 * 1024;
  const piece = randomBytes(64 * 1024);
  const sent = createHash('sha256');
  let left = size / piece.length;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (left === 0) return controller.close();
      left -= 1;
      sent.update(piece);
      controller.enqueue(piece);
    },
  });
  const before = { own: process.memoryUsage().rss, script: peakOf(sandbox.pid()) };
  let own = 0;
  const watch = setInterval(() => (own = Math.max(own, process.memoryUsage().rss)), 5);
  const response = await sandbox.call({ id: 'c1', event, environment, body });
  clearInterval(watch);
  expect(await response.text()).toBe(sent.digest('hex'));
  const grown = { own: own - before.own, script: peakOf(sandbox.pid()) - before.script };
  console.log(`64 MiB: platform +${mebibytes(grown.own)}, script +${mebibytes(grown.script)}`);
  expect(grown.own).toBeLessThan(2 * size);
  expect(grown.script).toBeLessThan(4 * size);
});

const mebibytes = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MiB`;

/** The most memory a process has used so far, where the system tells. */
function peakOf(pid: number | undefined): number {
  try {
    const [, kibibytes = '0'] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kibibytes) * 1024;
  } catch {
    return 0;
  }
}
