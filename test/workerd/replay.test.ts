import { expect, test } from 'vitest';
import { replayCalls, type ReplayResult } from '../../src/recordings/index.js';
import type { RunReplay } from '../../src/sandbox/index.js';
import { replayInNode } from '../../src/sandbox/node/replay-in-node.js';
import { replayInWorkerd } from '../../src/sandbox/workerd/replay-in-workerd.js';
import { integration, sampleRecording } from '../recordings/sample-recording.js';
import { replayProgram, replayWorkerProgram } from '../support/child-program.js';
import { installedWorkerd } from './installed-workerd.js';

const code = `export default { async fetch(request, env, context) {
  const form = await request.formData();
  const { path } = JSON.parse(form.get('event'));
  const start = Date.now();
  switch (path) {
    case 'parallel': {
      const order = [];
      await Promise.all(['a', 'b', 'c'].map(async (name) => { await fetch('https://' + name + '.example/'); order.push(name); }));
      return Response.json({ order, took: Date.now() - start });
    }
    case 'chance': return Response.json([Math.random(), crypto.randomUUID(), [...crypto.getRandomValues(new Uint8Array(8))], new Date(), performance.now()]);
    case 'sleep': await new Promise((resolve) => setTimeout(resolve, 20_000)); return Response.json(Date.now() - start);
    case 'limit':
      try { await fetch('https://slow.example/', { signal: AbortSignal.timeout(5000) }); } catch (error) { return Response.json([error.name, Date.now() - start]); }
    case 'late':
      context.waitUntil((async () => { await new Promise((resolve) => setTimeout(resolve, 3000)); await fetch('https://a.example/late', { method: 'POST', body: 'x' }); throw new Error('no'); })());
      return new Response('soon');
    case 'crypto': {
      const key = await crypto.subtle.importKey('raw', new TextEncoder().encode('k'), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
      return Response.json([...new Uint8Array(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode('t')))]);
    }
    case 'packed': {
      const packed = new Blob(['hello'.repeat(5000)]).stream().pipeThrough(new CompressionStream('gzip'));
      return new Response(packed.pipeThrough(new DecompressionStream('gzip')));
    }
    case 'stream': {
      const { readable, writable } = new TransformStream();
      const writer = writable.getWriter();
      context.waitUntil((async () => { for (const n of [1, 2, 3]) { await new Promise((resolve) => setTimeout(resolve, 50)); await writer.write(new TextEncoder().encode(n + ' ')); } await writer.close(); })());
      return new Response(readable);
    }
    case 'form': {
      const form = new FormData(); form.set('a', 'b'); form.set('file', new Blob(['x']), 'x.txt');
      await fetch('https://a.example/form', { method: 'POST', body: form });
      return new Response('sent');
    }
    case 'redirect': {
      const answer = await fetch('https://a.example/old');
      return Response.json([answer.url, answer.redirected, await answer.text()]);
    }
    case 'network': return fetch('http://127.0.0.1:9/').then(() => new Response('open'), (error) => Response.json(error.name));
    case 'throws': throw new Error('broken');
  }
} };`;

const answers = [
  ...['a', 'b', 'c'].map((name, at) => ({
    send: `GET https://${name}.example/`,
    answer: { status: 204 },
    ms: [30, 10, 20][at] ?? 0,
  })),
  { send: 'GET https://slow.example/', answer: { hangs: true as const }, ms: 0 },
  { send: 'POST https://a.example/late', body: 'x', answer: { status: 200 }, ms: 5 },
  { send: 'GET https://a.example/old', answer: { status: 302, headers: { location: '/new' } }, ms: 5 },
  { send: 'GET https://a.example/new', answer: { status: 200, body: 'new' }, ms: 5 },
];

const paths = 'parallel chance sleep limit late crypto packed stream form redirect network throws'.split(' ');

const replay = (run: RunReplay): Promise<ReplayResult[]> =>
  replayCalls({
    recording: sampleRecording(
      ...paths.map((path) => ({ event: { type: 'fetch', path }, outbound: answers })),
    ),
    integration,
    script: { code },
    run,
  });

/** What both runtimes have to agree on: everything but log lines, stacks and multipart boundaries. */
const comparable = ({ outcome }: ReplayResult): unknown => ({
  response: outcome.response && { status: outcome.response.status, body: outcome.response.body },
  failure: outcome.failure,
  rejected: outcome.rejected,
  durationMs: outcome.durationMs,
  outbound: outcome.outbound.map(({ method, url, at, answeredAt, match, read }) => ({
    method,
    url,
    at,
    answeredAt,
    match,
    read,
  })),
});

test('every replay in workerd has the same results as in Node', async () => {
  const { binary, compatibilityDate, logging } = installedWorkerd();
  const inWorkerd = replayInWorkerd({
    binary,
    workerFile: await replayWorkerProgram(),
    version: '1',
    compatibilityDate,
    logging,
    compatibilityFlags: [],
    memoryMb: 512,
  });
  const inNode = replayInNode({ node: process.execPath, childFile: await replayProgram(), version: '1' });
  const expected = (await replay(inNode)).map(comparable);
  expect(JSON.stringify(expected)).not.toContain('open');
  for (let round = 0; round < 3; round += 1)
    for (const [at, result] of (await replay(inWorkerd)).entries())
      expect(comparable(result), paths[at]).toEqual(expected[at]);
});
