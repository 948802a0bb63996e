import { execFileSync, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDev, type DevSession } from '../support/dev-session.js';

const platform = fileURLToPath(new URL('../../bin/platform.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'platform-author-'));
const source = join(folder, 'src/index.tsx');
let session: DevSession;

const dev = (): Promise<DevSession> => startDev(folder, ['--oauth-provider', 'local', '--oauth', 'approve']);

/** A command in another terminal. */
function cli(...argv: string[]): { code: number | null; json: Record<string, unknown>; text: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [platform, ...argv], {
    cwd: folder,
    encoding: 'utf8',
  });
  const text = `${stdout}${stderr}`;
  return { code: status, text, json: argv.includes('--json') ? JSON.parse(stdout) : {} };
}

const at = (path: string): string => `${session.urls.publicEndpoint}${path}`;
const save = (change: (text: string) => string): void =>
  writeFileSync(source, change(readFileSync(source, 'utf8')));

async function until<T>(read: () => Promise<T>, fits: (value: T) => boolean): Promise<T> {
  const deadline = Date.now() + 10_000;
  for (;;) {
    const value = await read();
    if (fits(value)) return value;
    if (Date.now() > deadline) throw new Error(`It stayed ${JSON.stringify(value)}.`);
  }
}

const revision = async (): Promise<string> =>
  ((await (await fetch(at('/'))).json()) as { revision: string }).revision;

beforeAll(async () => {
  cpSync(fileURLToPath(new URL('../fixtures/projects/author', import.meta.url)), folder, { recursive: true });
  session = await dev();
});
afterAll(async () => {
  await session.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('installs the integration on the first start, with the status pending in the setup event', async () => {
  const setup = await session.line(
    ({ type, call }) => type === 'call-finished' && JSON.stringify(call).includes('installation_setup'),
  );
  expect(setup).toMatchObject({
    call: { outcome: 'ok', event: { type: 'installation_setup', status: 'pending' } },
  });
});

test('sends one event for each property that is set, until the installation is active', async () => {
  expect(cli('config', 'set', 'channel=general', '--json').json).toMatchObject({ status: 'pending' });
  const page = await fetch(at('/oauth'), { redirect: 'follow' });
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('close');
  expect(cli('config', 'get', '--json').json).toMatchObject({
    status: 'active',
    configuration: { channel: 'general', oauth_credentials: expect.anything() as unknown },
  });
  const { items } = cli('logs', '--type', 'installation_setup', '--json').json as { items: unknown[] };
  expect(items.length).toBeGreaterThanOrEqual(3);
});

test('triggers an event and lists its log line below it', () => {
  const { json } = cli('trigger', 'space_content_updated', '--json');
  const [{ fired }] = json['events'] as [{ fired: { outcome: string; call: string } }];
  expect(fired.outcome).toBe('ok');
  expect(cli('inspect', fired.call).text).toContain('updated space_local');
});

test('suggests the most similar event for an unknown one', () => {
  const { code, text } = cli('trigger', 'space_content_updatd');
  expect(code).toBe(2);
  expect(text).toContain('Did you mean space_content_updated?');
});

test("runs a button's action when the button is pressed", () => {
  expect(cli('render', 'counter').text).toContain('Pressed 0 times');
  expect(cli('render', 'counter', '--state', '{"count":4}', '--action', 'add').text).toContain(
    'Pressed 5 times',
  );
});

test('passes a binary body posted with curl to the script unchanged', () => {
  const body = randomBytes(3 * 1024 * 1024);
  const file = join(folder, 'body.bin');
  writeFileSync(file, body);
  const hash = execFileSync('curl', ['-s', '--data-binary', `@${file}`, at('/hash')], { encoding: 'utf8' });
  expect(hash).toBe(createHash('sha256').update(body).digest('hex'));
});

test("delivers only POST requests to the webhook receiver's handler", async () => {
  const wrong = await fetch(at('/hook'));
  expect([wrong.status, await wrong.text()]).toEqual([405, 'Method not allowed']);
  const right = await fetch(at('/hook'), { method: 'POST', body: '{}' });
  expect([right.status, await right.text(), right.headers.get('content-type')]).toEqual([
    200,
    '{"received":true}',
    'application/json',
  ]);
});

test("shows the position of an error in the author's source", async () => {
  expect((await fetch(at('/boom'))).status).toBe(500);
  const { items } = cli('logs', '--failed', '--json').json as { items: { id: string }[] };
  expect(cli('inspect', items.at(-1)?.id ?? '').text).toMatch(/src\/index\.tsx:39:33/);
});

test('never shows a secret in any output', () => {
  const secret = 'canary-7f3a91c2e5';
  const everything = JSON.stringify(session.lines) + cli('logs').text;
  expect(everything.includes(secret)).toBe(false);
  expect(everything.includes('secret •••')).toBe(true);
});

test('serves every change, and keeps the last working build running while the code is broken', async () => {
  const { items } = cli('logs', '--type', 'fetch', '--search', 'installation_1/', '--json').json as {
    items: { id: string; url: string }[];
  };
  expect(items.length).toBeGreaterThan(0);
  await fetch(at('/'));
  const recorded =
    (cli('logs', '--type', 'fetch', '--json').json as { items: { id: string }[] }).items.at(-1)?.id ?? '';
  save((text) => text.replace("'one'", "'two'"));
  expect(await until(revision, (value) => value === 'two')).toBe('two');

  const replayed = cli('replay', recorded);
  expect(replayed.text).toMatch(/-.*"revision": "one"/);
  expect(replayed.text).toMatch(/\+.*"revision": "two"/);

  save((text) => text.replace('Response.json({ revision })', 'Response.json({ revision '));
  await session.line(({ type, what }) => type === 'broken' && what === 'build');
  expect(await revision()).toBe('two');
  save((text) =>
    text.replace('Response.json({ revision ', 'Response.json({ revision })').replace("'two'", "'three'"),
  );
  expect(await until(revision, (value) => value === 'three')).toBe('three');
});

test('rejects a second session and reports the first one', () => {
  const { code, text } = cli('dev');
  expect(code).toBe(2);
  expect(text).toContain(`process ${session.process.pid}`);
});

test('restores the state after a restart, even after kill -9', async () => {
  expect(await session.stop()).toBe(130);
  session = await dev();
  expect(cli('config', 'get', 'channel').text).toBe('general\n');
  const setups = session.lines.filter(({ call }) =>
    JSON.stringify(call ?? '').includes('installation_setup'),
  );
  expect(setups).toEqual([]);
  expect(cli('config', 'set', 'channel=random', '--json').code).toBe(0);
  await session.stop('SIGKILL');
  session = await dev();
  expect(cli('config', 'get', 'channel').text).toBe('random\n');
});

test('explains in every command how to start a session if there is none', async () => {
  await session.stop();
  const { code, text } = cli('trigger', 'space_view');
  expect(code).toBe(2);
  expect(text).toContain('platform dev');
});
