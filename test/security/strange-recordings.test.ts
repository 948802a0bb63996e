import { mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RecordedCall } from '../../src/recordings/index.js';
import { makeFifo } from '../support/make-fifo.js';
import { runCli } from '../support/run-cli.js';
import { sharedFolder, temporaryFolder } from '../support/temporary-folder.js';
import { manifestText } from '../support/manifest-text.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = sharedFolder();
const secret = 'live-key-of-the-author-4711';

let visits = 0;
const server = createServer((_, response) => {
  visits += 1;
  response.end('reached');
});
let origin = '';

/** Sends what the recording says, and shows all that it can reach. */
const source = `import { createIntegration } from 'integration-platform';
export default createIntegration({
  async fetch(request, { environment }: any) {
    const to = new URL(request.url).searchParams.get('to');
    if (!to) return Response.json({ text: 'now', secrets: environment.secrets, keys: Object.keys(({} as any).__proto__) });
    const read = async (url: string) => {
      try { const answer = await fetch(url); return [answer.status, answer.url, await answer.text()]; }
      catch (error: any) { return String(error.cause ?? error); }
    };
    return Response.json(await read(to));
  },
});
`;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  mkdirSync(join(folder, 'node_modules'));
  mkdirSync(join(folder, 'recordings'));
  symlinkSync(root, join(folder, 'node_modules/integration-platform'), 'dir');
  writeFileSync(join(folder, 'index.ts'), source);
  writeFileSync(join(folder, '.env'), `SAMPLE_KEY=${secret}\n`);
  writeFileSync(
    join(folder, 'platform-manifest.yaml'),
    manifestText({
      name: 'sample',
      more: `script: index.ts
secrets:
  KEY: \${{ env.SAMPLE_KEY }}
`,
    }),
  );
});
afterAll(() => {
  server.close();
});

const call = (change: Partial<RecordedCall>, query = ''): RecordedCall => ({
  name: 'GET /',
  after: 0,
  stored: {},
  event: {
    type: 'fetch',
    request: { method: 'GET', url: `http://127.0.0.1:4100/v1/integrations/sample/${query}`, headers: {} },
  },
  outbound: [],
  response: { status: 200, headers: { 'content-type': 'application/json' }, body: { text: 'before' } },
  ...change,
});
const recording = (...calls: RecordedCall[]): object => ({
  version: 1,
  integration: 'sample',
  platform: '0.3.0',
  at: '2026-01-02T03:04:05.000Z',
  secrets: {},
  calls,
});

async function replay(text: string | object, ...argv: string[]): Promise<{ code: number; out: string }> {
  writeFileSync(
    join(folder, 'recordings/strange.json'),
    typeof text === 'string' ? text : JSON.stringify(text),
  );
  const { code, stdout, stderr } = await runCli(['replay', 'recordings/strange.json', ...argv], {
    cwd: folder,
  });
  return { code, out: stdout + stderr };
}

const hostile =
  'a\u001B]0;owned\u0007\u001B[31m\r\n::error file=x::forged\n##[error]forged]]></failure><b>\u202E\u009B2J';

test.each(['text', 'json', 'junit', 'github'])('never prints control characters as %s', async (format) => {
  const { code, out } = await replay(
    recording(
      call({
        name: hostile,
        outbound: [{ send: 'GET https://api.example/', answer: { status: 200, body: hostile }, ms: 1 }],
        response: { status: 200, headers: { 'content-type': 'text/plain' }, body: hostile },
      }),
      call({
        name: hostile,
        failure: hostile,
        rejected: [hostile],
        response: { status: 500, body: { [hostile]: hostile } },
      }),
    ),
    '--format',
    format,
  );
  expect(code).toBe(1);
  // oxlint-disable-next-line no-control-regex
  expect(out).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202E]/);
  expect(
    out.split('\n').filter((line) => /^\s*(?:::|##\[)/.test(line) && !/^::error [^:]*title=/.test(line)),
  ).toEqual([]);
  if (format === 'junit') {
    expect(out).not.toContain('</failure><b>');
    expect(out.match(/<failure/g)).toHaveLength(out.match(/<\/failure>/g)?.length ?? 0);
  }
});

test('prevents a recorded script from accessing the network, files or secrets', async () => {
  const targets = [
    origin,
    `${origin.replace('127.0.0.1', 'localhost')}/`,
    'file:///etc/passwd',
    'data:text/plain,x',
    'https://api.example/',
  ];
  const outbound = [
    {
      send: 'GET https://api.example/',
      answer: { status: 302, headers: { location: `${origin}/redirected` } },
      ms: 1,
    },
  ];
  const calls = [...targets.map((to) => call({ outbound }, `?to=${encodeURIComponent(to)}`)), call({})];
  const { out } = await replay(recording(...calls), '--format', 'json');
  expect(visits).toBe(0);
  expect(out).not.toContain('reached');
  expect(out).not.toContain('root:');
  expect(out).not.toContain(secret);
  const { files } = JSON.parse(out) as { files: { calls: { differences: { after: string }[] }[] }[] };
  expect(files[0]?.calls).toHaveLength(calls.length);
  expect(files[0]?.calls.at(-1)?.differences[0]?.after).toContain('"secrets": {}');
});

test.each([
  ['a FIFO', (path: string) => makeFifo(path)],
  ['a device', (path: string) => symlinkSync('/dev/zero', path)],
  ['a folder', (path: string) => mkdirSync(path)],
  ['more than 32 MB', (path: string) => (writeFileSync(path, ''), truncateSync(path, 33 * 1024 * 1024))],
  ['100,000 nested lists', (path: string) => writeFileSync(path, '['.repeat(100_000) + ']'.repeat(100_000))],
  ['text that is not JSON', (path: string) => writeFileSync(path, `{"\u001B[31m${'x'.repeat(100_000)}`)],
])('rejects %s in place of a recording without waiting for it', async (_, create) => {
  const path = join(folder, 'odd.json');
  create(path);
  const { code, stdout, stderr } = await runCli(['replay', 'odd.json'], { cwd: folder });
  rmSync(path, { recursive: true });
  expect(code).toBe(2);
  expect(stdout + stderr).toMatch(/not a valid recording|contains no recordings/);
  expect((stdout + stderr).length).toBeLessThan(2000);
  // oxlint-disable-next-line no-control-regex
  expect(stdout + stderr).not.toMatch(/[\u0000-\u0009\u000B-\u001F]/);
});

const changed = (from: string, to: string): string => JSON.stringify(recording(call({}))).replace(from, to);
test.each([
  ['__proto__ deep in an event', changed('"headers":{}', '"headers":{"a":{"__proto__":{"polluted":1}}}')],
  ['constructor as an unknown key', changed('"secrets":{}', '"secrets":{},"constructor":{}')],
  ['a secret that is not declared', changed('"secrets":{}', '"secrets":{"OTHER":"x"}')],
  ['a secret called constructor', changed('"secrets":{}', '"secrets":{"constructor":"x"}')],
  ['an event of 120 levels', changed('"headers":{}', `"headers":${'{"a":'.repeat(120)}1${'}'.repeat(120)}`)],
  [
    'a method with a line break',
    JSON.stringify(
      recording(call({ outbound: [{ send: 'GET\r\nX: https://a/', answer: { status: 200 }, ms: 1 }] })),
    ),
  ],
  [
    'a delay of a year',
    JSON.stringify(
      recording(
        call({ outbound: [{ send: 'GET https://a/', answer: { status: 200 }, ms: 31_536_000_000 }] }),
      ),
    ),
  ],
  ['a time in the year 300,000', changed('2026-01-02T03:04:05.000Z', '+300000-01-02T03:04:05.000Z')],
  ['a negative time', changed('"after":0', '"after":-1')],
  ['a bad header', JSON.stringify(recording(call({ response: { status: 200, headers: { 'a b': 'c' } } })))],
])('rejects a recording with %s', async (_, text) => {
  const { code, out } = await replay(text, '--json');
  expect(code).toBe(2);
  expect((JSON.parse(out) as { error: { code: string } }).error.code).toMatch(
    /^(?:invalid-recording|undeclared-secret)$/,
  );
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

test('replays bodies that are expensive to compare', async () => {
  const bodies = [
    '['.repeat(200_000),
    '['.repeat(100_000) + ']'.repeat(100_000),
    'x'.repeat(1_000_000),
    '\n'.repeat(400_000),
    `--${'-'.repeat(90)}\r\n`.repeat(5000),
  ];
  const calls = bodies.map((body) =>
    call({
      body,
      response: { status: 200, body },
      outbound: [{ send: 'POST https://a.example/', body, answer: { status: 200, body }, ms: 1 }],
    }),
  );
  const { code, out } = await replay(recording(...calls), '--format', 'json');
  expect([code, out.length > 0]).toEqual([1, true]);
});

test('--update never writes through a symlink or outside the project', async () => {
  const outside = temporaryFolder();
  const text = JSON.stringify(recording(call({})));
  writeFileSync(join(outside, 'theirs.json'), text);
  rmSync(join(folder, 'recordings/linked.json'), { force: true });
  symlinkSync(join(outside, 'theirs.json'), join(folder, 'recordings/linked.json'));
  symlinkSync(outside, join(folder, 'elsewhere'));
  for (const path of ['recordings/linked.json', 'elsewhere/theirs.json', join(outside, 'theirs.json')]) {
    const { code } = await runCli(['replay', path, '--update'], { cwd: folder });
    expect([path, code]).toEqual([path, 2]);
  }

  expect(readFileSync(join(outside, 'theirs.json'), 'utf8')).toBe(text);
});
