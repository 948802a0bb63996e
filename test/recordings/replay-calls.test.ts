import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bundleOnce } from '../../src/bundle/index.js';
import type { RecordedCall } from '../../src/recordings/file/recording.js';
import { replayFailures } from '../../src/recordings/replay-failures.js';
import { rehearse } from '../../src/recordings/rehearse.js';
import { replayCalls, replayTolerantly, type ReplayResult } from '../../src/recordings/replay-calls.js';
import { toRecorded } from '../../src/recordings/recorded-outcome.js';
import type { ReplayCall } from '../../src/sandbox/index.js';
import { replayInNode } from '../../src/sandbox/node/replay-in-node.js';
import { environment } from '../sandbox/sample-call.js';
import { replayProgram } from '../support/child-program.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { integration, sampleRecording } from './sample-recording.js';

const script = (body: string): { code: string } => ({
  code: `let served = 0;
    export default { async fetch(request, env, context) {
      const form = await request.formData();
      const event = JSON.parse(form.get('event')); const environment = JSON.parse(form.get('environment'));
      served += 1;
      ${body}
    } };`,
});

const inNode = async () =>
  replayInNode({ node: process.execPath, childFile: await replayProgram(), version: '1' });

async function replay(
  body: string,
  calls: Partial<RecordedCall>[],
  change?: (call: ReplayCall) => ReplayCall[],
  run: typeof replayCalls = replayCalls,
): Promise<ReplayResult[]> {
  const node = await inNode();
  return run({
    recording: sampleRecording(...calls),
    integration,
    script: script(body),
    run: (code, job, options) => node(code, job, { ...options, realLimitMs: 2000 }),
    ...(change && { change }),
  });
}

const bodyOf = (result: ReplayResult | undefined): unknown => {
  const body = result?.outcome.response?.body;
  return body && 'text' in body ? JSON.parse(body.text) : body;
};

test("starts a replay's clock at the recorded time, and advances it only while the call waits", async () => {
  const [result] = await replay(
    `const start = Date.now(); for (let n = 0; n < 1e6; n++); const busy = Date.now() - start;
     await new Promise((ok) => setTimeout(ok, 20_000)); const slept = Date.now() - start;
     await (await fetch('https://api.example/a')).json();
     return Response.json({ start: new Date(start), busy, slept, all: Date.now() - start, mark: performance.now() });`,
    [
      {
        after: 1000,
        outbound: [{ send: 'GET https://api.example/a', answer: { status: 200, body: {} }, ms: 34 }],
      },
    ],
  );
  const start = '2026-01-02T03:04:06.000Z';
  expect(bodyOf(result)).toEqual({ start, busy: 0, slept: 20_000, all: 20_034, mark: 21_034 });
});

test('generates the same random values in each replay, but different ones for each call', async () => {
  const body = `return Response.json([Math.random(), crypto.randomUUID(), [...crypto.getRandomValues(new Uint8Array(4))]]);`;
  const [first, second] = [await replay(body, [{}, {}]), await replay(body, [{}, {}])];
  expect(first.map(bodyOf)).toEqual(second.map(bodyOf));
  expect(bodyOf(first[0])).not.toEqual(bodyOf(first[1]));
});

test.each([
  ['Math.random()', 'log(Math.random()); ', '', 0],
  ['bytes', 'log(crypto.getRandomValues(new Uint8Array(8))); ', '', 0],
  ['an id', 'log(crypto.randomUUID()); ', '', 0],
  ['a value that the script then uses', '', '+ Math.random()', 1],
])('an additional random value does not change the later ones: %s', async (_, before, after, different) => {
  const use = (first: string, more: string): string => `const log = () => {};
    ${first}const bytes = [...crypto.getRandomValues(new Uint8Array(4))];
    return Response.json([crypto.randomUUID(), bytes, Math.floor(Math.random() * 1e6), Math.random() ${more}]);`;
  const [{ outcome } = undefined as never] = await replay(use('', ''), [{}]);
  const results = await replay(use(before, after), [toRecorded(outcome)], undefined, replayTolerantly);
  expect(results.filter(({ differences }) => differences.length > 0)).toHaveLength(different);
});

test('returns the responses to parallel requests in the recorded order', async () => {
  const [result] = await replay(
    `const order = [];
     await Promise.all(['a', 'b', 'c'].map(async (name) => { await fetch('https://' + name + '.example/'); order.push(name); }));
     return Response.json(order);`,
    [
      {
        outbound: ['a', 'b', 'c'].map((name, at) => ({
          send: `GET https://${name}.example/`,
          answer: { status: 204 },
          ms: [30, 10, 20][at] ?? 0,
        })),
      },
    ],
  );
  expect(bodyOf(result)).toEqual(['b', 'c', 'a']);
});

test("passes the recorded values and the given manifest's defaults to a replayed call", async () => {
  const [result] = await replay(
    `return Response.json([environment.installation.configuration, environment.secrets]);`,
    [{}],
  );
  expect(bodyOf(result)).toEqual([{ greeting: 'Hello' }, { API_KEY: 'example-api-key' }]);
});

test.each([
  [
    'a changed response',
    `await fetch('https://api.example/a', { method: 'POST', body: '{"b":1}' }); return new Response('new')`,
    ['response'],
  ],
  [
    'a changed request body',
    `await fetch('https://api.example/a', { method: 'POST', body: '{"b":2}' }); return new Response('old')`,
    ['outbound'],
  ],
  ['a request that is no longer sent', `return new Response('old')`, ['outbound']],
  [
    'rejected background work',
    `await fetch('https://api.example/a', { method: 'POST', body: '{"b": 1}' }); context.waitUntil(Promise.reject(new Error('no'))); return new Response('old')`,
    ['rejected'],
  ],
  [
    'a body with different whitespace',
    `await fetch('https://api.example/a', { method: 'POST', body: '{"b": 1}' }); return new Response('old')`,
    [],
  ],
])('reports the differences for %s', async (_, body, kinds) => {
  const [result] = await replay(body, [
    {
      outbound: [{ send: 'POST https://api.example/a', body: { b: 1 }, answer: { status: 200 }, ms: 1 }],
      response: { status: 200, headers: { 'content-type': 'text/plain;charset=UTF-8' }, body: 'old' },
    },
  ]);
  expect(result?.differences.map(({ kind }) => kind)).toEqual(kinds);
});

test('fails a request without a recorded response with a network error', async () => {
  const [result] = await replay(
    `try { await fetch('https://other.example/') } catch (error) { return Response.json([error.name, error.message, error.cause.code]) }`,
    [{}],
  );
  expect(bodyOf(result)).toEqual(['TypeError', 'fetch failed', 'ENETUNREACH']);
  expect(result?.outcome.outbound[0]?.match).toBe('none');
});

test.each([
  ['throws', `throw new TypeError('a is undefined');`, 'failing', { reason: 'TypeError: a is undefined' }],
  ['no longer throws', `return new Response('ok');`, 'fixed', { before: 'status 500', after: 'status 200' }],
  ['requests another URL', `await fetch('https://api.example/b'); return new Response();`, 'unknown', {}],
])('replays a failed call that %s', async (_, body, verdict, more) => {
  const run = await inNode();
  const spent = { time: 0, durationMs: 1, requestBytes: 0, responseBytes: 0 };
  const logged = {
    id: 'call_1',
    time: 0,
    event: { type: 'space_view', eventId: 'evt_1', installationId: 'ins_1' } as never,
    environment,
    outbound: [
      { ...spent, method: 'GET', url: 'https://api.example/a', status: 200, request: { headers: [] } },
    ],
    response: { status: 500 },
  };
  const project = {
    integration,
    declared: [],
    script: script(
      `try { ${body} } catch (error) { console.error(error); return new Response('', { status: 500 }); }`,
    ),
    run,
  };
  expect(await replayFailures([logged], { project: project as never, platformVersion: '0' })).toMatchObject([
    { call: 'call_1', verdict, ...more },
  ]);
});

test('gives a request with a random path its response while a call is recorded', async () => {
  const send = 'PUT https://api.example/items/6df0aaaa-9d5e-474c-95fe-62c936cf584d';
  const body = `return Response.json(await (await fetch('https://api.example/items/' + crypto.randomUUID(), { method: 'PUT' })).json());`;
  const [result] = await replay(
    body,
    [{ outbound: [{ send, answer: { status: 200, body: { ok: 1 } }, ms: 0 }] }],
    (call) => [{ ...call, draft: true }],
  );
  expect(bodyOf(result)).toEqual({ ok: 1 });
});

test('notes that a value cannot be decrypted', async () => {
  const [result] = await replay(
    `const key = await crypto.subtle.importKey('raw', new Uint8Array(16), 'AES-GCM', false, ['decrypt']);
     return Response.json(await crypto.subtle.decrypt({ name: 'AES-GCM', iv: new Uint8Array(12) }, key, new Uint8Array(32)).catch(() => 'failed'));`,
    [{}],
  );
  expect([bodyOf(result), result?.outcome.decryptFailed]).toEqual(['failed', true]);
});

test('blocks network access for a replayed script', async () => {
  const [result] = await replay(
    `const socket = new WebSocket('ws://127.0.0.1:9'); const how = await new Promise((resolve) => { socket.onerror = () => resolve('refused'); socket.onopen = () => resolve('open'); }); return Response.json(how);`,
    [{}],
  );
  // Node 20 has no WebSocket, so the script fails there.
  expect(result?.outcome.response?.body).not.toEqual({ text: '"open"' });
});

test('ends a call in an infinite loop without affecting other calls', async () => {
  const results = await replay(`if (event.loop) for (;;); return new Response('ok');`, [
    {},
    { event: { type: 'space_view', loop: true } },
    {},
  ]);
  expect(results.map(({ outcome }) => outcome.response?.status)).toEqual([200, undefined, 200]);
  expect(results[1]?.outcome.failure).toContain('still running after 2 s');
});

test('ends a call that waits for a response that never arrives', async () => {
  const [result] = await replay(`await fetch('https://api.example/'); return new Response();`, [
    { outbound: [{ send: 'GET https://api.example/', answer: { hangs: true }, ms: 0 }] },
  ]);
  expect(result?.outcome.failure).toBe('It did not respond within 30 s.');
});

test("runs the timeout of an abort signal on the replay's clock", async () => {
  const [result] = await replay(
    `const start = Date.now(); try { await fetch('https://api.example/', { signal: AbortSignal.timeout(5000) }) } catch (error) { return Response.json([error.name, Date.now() - start]) }`,
    [{ outbound: [{ send: 'GET https://api.example/', answer: { hangs: true }, ms: 0 }] }],
  );
  expect(bodyOf(result)).toEqual(['TimeoutError', 5000]);
});

test('reloads the script for each variant of a call', async () => {
  const results = await replay(`return Response.json(served);`, [{}], (call) => [
    call,
    { ...call, fresh: true },
    { ...call, fresh: true },
  ]);
  expect(results.map(bodyOf)).toEqual([1, 1, 1]);
});

test('reports the line of a script that fails while it loads', async () => {
  const folder = temporaryFolder();
  const entry = join(folder, 'index.ts');
  writeFileSync(entry, `export default {};\nif (Date.now() > 0) throw new Error('boom');\n`);
  const built = await bundleOnce({ entry, folder, sdk: { folder } });
  if (!built.ok) throw new Error('The script was not built.');
  const run = await inNode();
  const replayed = replayCalls({ recording: sampleRecording({}), integration, script: built.value, run });
  await expect(replayed).rejects.toMatchObject({
    name: 'UserError',
    code: 'script-load-failed',
    message: expect.stringMatching(/Error: boom \(index\.ts:2:\d+\)$/),
  });
});

test.each<[what: string, breaks: object, options: string, expected: unknown]>([
  ['the script aborts', { hangs: true }, '{ signal: AbortSignal.timeout(5000) }', ['TimeoutError', 5000]],
  [
    'loses its connection',
    { error: 'other side closed', code: 'UND_ERR_SOCKET' },
    '{}',
    ['TypeError', 10, 'terminated', 'other side closed', 'UND_ERR_SOCKET'],
  ],
])('repeats a response body that %s', async (_, breaks, options, expected) => {
  const answer = { status: 200, headers: { 'content-type': 'application/json' }, breaks } as never;
  const [result] = await replay(
    `const start = Date.now();
     const answer = await fetch('https://api.example/a', ${options});
     try { return Response.json([answer.status, await answer.text()]); }
     catch (error) {
       return Response.json([error.name, Date.now() - start, ...(error.cause ? [error.message, error.cause.message, error.cause.code] : [])]);
     }`,
    [{ outbound: [{ send: 'GET https://api.example/a', answer, ms: 10 }] }],
  );
  expect(bodyOf(result)).toEqual(expected);
});

test('does not wait forever for a response body that never ends', async () => {
  const answer = { status: 200, breaks: { hangs: true as const } };
  const [result] = await replay(`return new Response(await (await fetch('https://api.example/a')).text());`, [
    { outbound: [{ send: 'GET https://api.example/a', answer, ms: 10 }] },
  ]);
  expect(result?.outcome.failure).toBe('It did not respond within 30 s.');
});

test('supplies the usual text of a status', async () => {
  const answer = { status: 404, body: {} };
  const [result] = await replay(
    `return Response.json({ text: (await fetch('https://api.example/a')).statusText });`,
    [{ outbound: [{ send: 'GET https://api.example/a', answer, ms: 0 }] }],
  );
  expect(bodyOf(result)).toEqual({ text: 'Not Found' });
});

test.each([
  ['no longer uses a property of a published block', '', 'broken'],
  ['sends a request without a recorded response', `await fetch('https://api.example/new');`, 'unknown'],
  [
    'fails in another folder of the workspace',
    `if (!event.props.label) return new Response('');  console.error('Error: No\\n    at run (../../lib/run.ts:1:2)'); return new Response('', { status: 500 });`,
    'broken',
  ],
])('rehearses a version that %s', async (_, more, verdict) => {
  const run = await inNode();
  const block = (props: object, text: string): object => ({ type: 'element', props, element: { text } });
  const recording = sampleRecording({
    event: { type: 'ui_render', componentId: 'note', props: { label: 'Join us' } },
    response: { status: 200, body: block({ label: 'Join us' }, 'Join us') },
  });
  const code = `${more} return Response.json({ type: 'element', props: event.props, element: { text: event.props.title ?? 'Sign up' } });`;
  const options = { recording, integration, script: script(code), run, secrets: [] };
  const [rehearsed] = await rehearse({ ...options, sampleValues: () => ({}) });
  expect([rehearsed?.verdict, rehearsed?.at]).toEqual([verdict, undefined]);
});
