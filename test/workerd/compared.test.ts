import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleOnce } from '../../src/bundle/index.js';
import { environment, event } from '../sandbox/sample-call.js';
import { startSandbox } from '../sandbox/start-sandbox.js';
import { testRuntime } from './installed-workerd.js';
import { groups } from './observations.js';

const all = groups.flatMap(({ observations }) => observations);

let server: Server;
let origin: string;
beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/reset') return void request.socket.destroy();
    if (request.url === '/slow') return undefined;
    if (request.url === '/redirect') return void response.writeHead(302, { location: '/text' }).end();
    if (request.url === '/gzip')
      return void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('packed'));
    if (request.url === '/echo') return void request.pipe(response);
    return void response.writeHead(200, { 'x-a': '1' }).end('there');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** One script that does what the body of a call names, built as `platform dev` builds it. */
async function buildScript(): Promise<{ code: string; map: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'compared-'));
  const entry = join(folder, 'src/index.js');
  mkdirSync(join(folder, 'src'));
  const loads = all.map(({ code, atLoad }, n) =>
    atLoad ? `try { ${code}; seen[${n}] = 'works'; } catch (error) { seen[${n}] = refusal(error); }` : '',
  );
  const calls = all.map(({ code, atLoad }, n) =>
    atLoad ? `async () => seen[${n}]` : `async (origin) => { ${code} }`,
  );
  writeFileSync(
    entry,
    `const seen = {};
const refusal = (error) => 'blocked';
const timeAtLoad = Date.now();
${loads.join('\n')}
const doers = [${calls.join(',\n')}];
export default {
  async fetch(request) {
    const body = await (await request.formData()).get('fetch-body').text();
    const { n, origin } = JSON.parse(body);
    if (n === ${all.findIndex(({ what }) => what === 'a thrown error')}) return doers[n](origin);
    try {
      return Response.json({ value: (await doers[n](origin)) ?? null });
    } catch (error) {
      return Response.json({ throws: error.name });
    }
  },
};`,
  );
  const built = await bundleOnce({
    entry,
    folder,
    sdk: { folder: fileURLToPath(new URL('../..', import.meta.url)) },
  });
  rmSync(folder, { recursive: true });
  if (!built.ok) throw new Error(JSON.stringify(built.diagnostics));
  return built.value;
}

type Runtime = NonNullable<Parameters<typeof startSandbox>[0]>['runtime'];

async function observe(script: { code: string; map: string }, runtime?: Runtime): Promise<string[]> {
  const { sandbox } = await startSandbox({ timeoutMs: 1000, ...(runtime && { runtime }) });
  await sandbox.load(script);
  const results: string[] = [];
  for (const n of all.keys()) {
    const body = new TextEncoder().encode(JSON.stringify({ n, origin }));
    const response = await sandbox.call({ id: `call_${n}`, event, environment, body });
    results.push(describe(response.status, await response.text()));
  }
  return results;
}

function describe(status: number, text: string): string {
  if (status !== 200) return `status ${status}`;
  const { value, throws } = JSON.parse(text) as { value?: unknown; throws?: string };
  if (throws !== undefined) return `throws \`${throws}\``;
  const shown = typeof value === 'string' ? value : JSON.stringify(value);
  return shown.length > 60 ? `${shown.slice(0, 57)}…` : shown;
}

test('runs scripts with the same results in Node and workerd', async () => {
  const script = await buildScript();
  const node = await observe(script);
  const workerd = await observe(script, await testRuntime());
  const rows = all.map((one, n) => ({ ...one, node: node[n] ?? '', workerd: workerd[n] ?? '' }));
  const different = rows.filter((row) => row.node !== row.workerd);
  const unnamed = different.filter(({ notPortable }) => !notPortable);
  console.log(
    `${all.length} things compared in both runtimes: ${different.length} differ, ${unnamed.length} of them beyond what is known not to be portable`,
  );
  for (const { what, node: a, workerd: b } of unnamed) console.log(`  ${what}: ${a} | ${b}`);
  expect(all.length).toBeGreaterThanOrEqual(85);

  const page = readFileSync(new URL('../../docs/guides/runtimes.md', import.meta.url), 'utf8');
  expect(
    unnamed.map(({ what }) => what),
    'describe the difference in docs/guides/runtimes.md',
  ).toEqual([
    '`typeof URLPattern`',
    'the current time: `Date.now() > 0`',
    '`TextDecoder` for windows-1252',
    'the error of a broken connection',
    'a call that awaits a promise that never settles',
  ]);
  expect(page).toContain(`compares ${all.length} details`);
});
