import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDevProject, type DevProject } from '../support/dev-project.js';
import { startKillable } from '../support/killable.js';
import { amount } from '../support/proved.js';

/** The platform, its script and the attackers are processes of their own: this one only measures. */
let project: DevProject;
let endpoint: string;
beforeAll(async () => {
  const script = `export default { async fetch(request) {
    const form = await request.formData();
    const { request: { url } } = JSON.parse(await new Response(form.get('event')).text());
    if (new URL(url).pathname.endsWith('/stream')) return new Response(new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('data: 1\\n\\n')),
    }), { headers: { 'content-type': 'text/event-stream' } });
    return new Response('fine');
  } };`;
  project = await startDevProject('projects/boundary', [], (folder) =>
    writeFileSync(join(folder, 'src/index.ts'), script),
  );
  endpoint = project.urls.publicEndpoint;
  // The first calls are slower: nothing is compiled yet.
  await probe(50, 0);
});
afterAll(() => project.close());

const clients = amount(200, 1000);
/** Of another client's slowest call. A busy machine needs longer. */
const longestMs = amount(Infinity, 200);

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Returns how many milliseconds the main threads of these processes waited for a processor (Linux). */
const processorWait = (pids: readonly string[]): number =>
  pids.reduce((sum, pid) => {
    const [, waited] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
    return sum + Number(waited) / 1e6;
  }, 0);

interface Probes {
  /** For the console. */
  text: string;
  /** The slowest call in milliseconds, without the time in which other programs of the machine had the processor. */
  most: number;
}

/** How long calls of another client take, one after the other. */
async function probe(count: number, gapMs: number): Promise<Probes> {
  const platform = String(project.process.pid);
  const script = readFileSync(`/proc/${platform}/task/${platform}/children`, 'utf8').match(/\d+/g) ?? [];
  const pids = [platform, ...script, String(process.pid)];
  const calls: { took: number; waited: number }[] = [];
  for (let n = 0; n < count; n += 1) {
    const before = { time: performance.now(), waited: processorWait(pids) };
    expect(await (await fetch(endpoint)).text()).toBe('fine');
    const took = performance.now() - before.time;
    calls.push({ took, waited: processorWait(pids) - before.waited });
    await wait(gapMs);
  }
  const times = calls.map(({ took }) => took).sort((a, b) => a - b);
  const slowest = times.at(-1) ?? Infinity;
  const { waited = 0 } = calls.find(({ took }) => took === slowest) ?? {};
  const usual = times[Math.floor(count * 0.95)] ?? Infinity;
  return {
    text: `${count} of ${count} other calls served within ${Math.round(slowest)} ms (${Math.round(waited)} ms of it without a processor), 95% of them within ${Math.round(usual)} ms`,
    most: Math.max(...calls.map((call) => call.took - call.waited)),
  };
}

test('closes slow and half-open connections and serves other clients', async () => {
  const { acked, ended } = await startKillable(
    'slow-clients.ts',
    JSON.stringify({ port: Number(new URL(endpoint).port), count: clients }),
  );
  // From the moment in which they begin, for ten seconds.
  const { most, text } = await probe(100, 100);
  await ended;
  const left = acked.at(-1) ?? clients;
  console.log(`connections: ${clients - left} of ${clients} slow or half-open ones freed; ${text}`);
  expect(acked[0]).toBe(clients);
  expect(left).toBe(0);
  expect(most).toBeLessThan(longestMs);
});

test('limits the number of long response streams and the number of clients that follow console streams', async () => {
  const open = async (url: string, count: number, headers: Record<string, string> = {}) => {
    const { child, acked } = await startKillable(
      'stream-clients.ts',
      JSON.stringify({ url, count, headers }),
    );
    await expect.poll(() => acked.length).toBe(2);
    return { child, acked };
  };
  const responses = await open(`${endpoint}/stream`, 200);
  const readers = await open(new URL('/console/api/stream', project.urls.console).href, 500, {
    'X-Platform-Token': project.key,
  });
  const { most, text } = await probe(100, 10);
  const refused = await (await fetch(`${endpoint}/stream`)).json();
  responses.child.kill('SIGKILL');
  readers.child.kill('SIGKILL');
  await expect
    .poll(async () => {
      const over = new AbortController();
      const { status } = await fetch(`${endpoint}/stream`, { signal: over.signal });
      over.abort();
      return status;
    })
    .toBe(200);
  console.log(
    `streams: ${responses.acked[0]} of 200 responses and ${readers.acked[0]} of 500 readers at once, the others 503; ${text}`,
  );
  expect(responses.acked).toEqual([128, 72]);
  expect(readers.acked).toEqual([64, 436]);
  expect(refused).toEqual({
    error:
      '128 script responses have been streaming for more than a second. Close some of them and try again.',
  });
  expect(most).toBeLessThan(longestMs);
});
