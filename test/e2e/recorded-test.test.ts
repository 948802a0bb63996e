import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { devHere, type DevHere } from '../support/dev-here.js';
import { runCli } from '../support/run-cli.js';
import { serve } from '../support/serve.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

let folder = '';
let dev: DevHere;
let endpoint = '';
beforeEach(async () => {
  folder = temporaryFolder();
  cpSync(join(root, 'test/fixtures/projects/recorded'), folder, { recursive: true });
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules/integration-platform'), 'dir');
  symlinkSync(join(root, 'node_modules/vitest'), join(folder, 'node_modules/vitest'), 'dir');
  dev = devHere(folder, ['--port', '0'], { env: { RECORDED_KEY: 'canary-5e0c' } });
  await dev.prints(/site_help/);
  await cli('config', 'set', 'greeting=hello');
  await cli('config', 'set', 'colour=red', '--site', 'site_help');
  endpoint = /Public\s+(\S+)/.exec(dev.text())?.[1] ?? '';
});
afterEach(() => dev.stop());

async function cli(...argv: string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await runCli([...argv, '--json'], { cwd: folder });
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as Record<string, unknown>;
}

/** Keeps the newest calls of a type, `count` of them, as tests. */
async function keep(type: string, count: number): Promise<string[]> {
  const { items } = (await cli('logs', '--type', type)) as { items: { id: string }[] };
  const files: string[] = [];
  for (const { id } of items.slice(-count)) {
    const { file } = (await cli('inspect', id, '--as-test')) as { file: string };
    expect(file).toBe(`test/${id}.test.ts`);
    files.push(file);
  }
  return files;
}

/** The author's own test run: what passed and what failed. */
async function play(...files: string[]): Promise<{ passed: number; failed: number; text: string }> {
  const argv = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--root', folder, ...files];
  const { stdout, stderr } = await run(process.execPath, argv, {
    cwd: folder,
    env: { PATH: process.env['PATH'], NO_COLOR: '1' },
  }).catch((error: { stdout: string; stderr: string }) => error);
  const count = (word: string): number =>
    Number(new RegExp(`Tests .*?(\\d+) ${word}`).exec(stdout)?.[1] ?? 0);
  return { passed: count('passed'), failed: count('failed'), text: stdout + stderr };
}

test('recorded calls pass as tests, and fail when the code responds differently', async () => {
  const post = { method: 'POST', headers: { 'content-type': 'text/plain', 'x-mine': "it's" } };
  await fetch(`${endpoint}/echo?a=1&b='2'`, { ...post, body: 'a “text”\nof two lines' });
  await fetch(`${endpoint}/sites/site_help/echo`, post);
  await fetch(`${endpoint}/bytes`, { method: 'POST', body: new Uint8Array([0, 255, 254, 10]) });
  await fetch(endpoint.replace(/\/installations.*/, '/where'));
  await fetch(`${endpoint}/expires?at=${Date.now()}`);
  const requests = await keep('fetch', 5);
  await cli('trigger', 'space_content_updated');
  await cli('trigger', 'site_view');
  await cli('render', 'note', '--props', '{"text":"hi"}', '--action', 'shout');
  const events = [
    ...(await keep('space_content_updated', 1)),
    ...(await keep('site_view', 1)),
    ...(await keep('ui_render', 1)),
  ];
  const files = [...requests, ...events];
  expect(await play()).toMatchObject({ passed: files.length, failed: 0 });
  for (const file of files) expect(readFileSync(join(folder, file), 'utf8')).not.toContain('canary');

  const source = join(folder, 'src/index.tsx');
  writeFileSync(source, readFileSync(source, 'utf8').replace("revision = 'one'", "revision = 'two'"));
  const { passed, failed, text } = await play();
  // An event's response is only OK, and the one that expires has no revision.
  expect({ passed, failed }).toEqual({ passed: 3, failed: 5 });
  expect(text).toContain('"revision":"two"');
}, 120_000);

test('a call with outbound requests passes as a test, with the responses that were recorded', async () => {
  let received = 0;
  const things = await serve((request) => {
    received += 1;
    return request.method === 'DELETE' ? new Response(null, { status: 204 }) : Response.json({ received });
  });
  await fetch(`${endpoint}/relay?to=${encodeURIComponent(`${things.url}/things`)}`);
  await fetch(`${endpoint}/outside`);
  const files = await keep('fetch', 2);
  await things.close();
  expect(received).toBe(3);
  expect(readFileSync(join(folder, files[0] ?? ''), 'utf8')).toContain(
    `platform.stub('GET ${things.url}/things', [`,
  );
  expect(await play(...files)).toMatchObject({ passed: 2, failed: 0 });
}, 60_000);

test('the file name can be chosen, and no file is overwritten', async () => {
  await fetch(`${endpoint}/echo`);
  const { items } = (await cli('logs', '--type', 'fetch')) as { items: { id: string }[] };
  const id = items.at(-1)?.id ?? '';
  const argv = ['inspect', id, '--as-test', 'deep/echo.test.ts'];
  const first = await runCli(argv, { cwd: folder });
  expect([first.code, first.stdout]).toEqual([
    0,
    'Wrote deep/echo.test.ts. Run it with: npx --no-install vitest run deep/echo.test.ts\n',
  ]);
  expect(await play('deep')).toMatchObject({ passed: 1, failed: 0 });
  const second = await runCli(argv, { cwd: folder });
  expect([second.code, second.stderr]).toEqual([
    2,
    'error deep/echo.test.ts already exists.\n  Choose another file: --as-test <file>\n',
  ]);
}, 60_000);
