import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { devHere, type DevHere } from '../support/dev-here.js';
import { hmacHex } from '../support/hmac-hex.js';
import { runCli } from '../support/run-cli.js';

const fixture = fileURLToPath(new URL('../fixtures/projects/moved', import.meta.url));
const env = {
  MOVED_CLIENT_ID: 'client',
  MOVED_CLIENT_SECRET: 'canary-2b7d',
  MOVED_SIGNING_SECRET: 'canary-9a1f',
};

let dev: DevHere;
const folder = mkdtempSync(join(tmpdir(), 'moved-'));
let endpoint = '';
let integration = '';
beforeAll(async () => {
  cpSync(fixture, folder, { recursive: true });
  const oauth = ['--oauth-provider', 'local', '--oauth', 'approve'];
  dev = devHere(folder, ['--port', '0', ...oauth], { env });
  await dev.prints(/site_installation_setup/);
  endpoint = /Public\s+(\S+)/.exec(dev.text())?.[1] ?? '';
  integration = endpoint.replace(/\/installations\/.*/, '');
});
afterAll(async () => {
  await dev.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function cli(...argv: string[]): Promise<{ code: number; json: Record<string, unknown> }> {
  const { code, stdout } = await runCli([...argv, '--json'], { cwd: folder });
  return { code, json: JSON.parse(stdout) as Record<string, unknown> };
}

test('the integration becomes active once it is connected and configured, with its first task pending', async () => {
  const page = await fetch(`${endpoint}/oauth`);
  expect([page.status, page.url]).toEqual([200, expect.stringContaining(`${integration}/oauth?`) as string]);
  const { json } = await cli('config', 'set', 'default_channel=general');
  expect(json).toMatchObject({ status: 'active', configuration: { oauth_credentials: {} } });
  const { json: log } = await cli('logs', '--failed');
  expect(log['items']).toEqual([]);
});

test('uses the team of an event sent to the shared URL to find the installation', async () => {
  const body = JSON.stringify({ team: 'T1' });
  const headers = { 'x-desk-signature': hmacHex(env.MOVED_SIGNING_SECRET, body) };
  const answer = await fetch(`${integration}/events`, { method: 'POST', body, headers });
  expect(await answer.json()).toEqual({ acknowledged: true });
  await dev.prints(/event of T1 for installation_1/);
});

test('renders components, and sends their actions to the script', async () => {
  const props = JSON.stringify({ url: 'https://tickets.example/t/42', id: '42' });
  const { json } = await cli('render', 'ticket', '--props', props);
  expect(json).toMatchObject({ type: 'element', element: { type: 'block' }, state: { note: '42' } });
  expect((await cli('render', 'ticket')).json).toMatchObject({ type: 'element', element: null });
  const drawn = await cli(
    'render',
    'configure',
    '--action',
    '{"action":"select.channel","channel":"random"}',
  );
  expect(drawn.json).toMatchObject({ state: { channel: 'random' } });
});

test('delivers a streamed response in full', async () => {
  expect(await (await fetch(`${endpoint}/tickets/42/stream`)).text()).toBe('one\ntwo\n42\n');
});

test("serves the content published for a site at the site's content URL", async () => {
  const content = `${integration.replace('/v1/', '/content/')}/installations/installation_1/sites/site_local`;
  expect(await (await fetch(`${content}/script.js`)).text()).toBe('/** no-op */');
  await cli('config', 'set', 'client_id=desk', '--site', 'site_local');
  expect(await (await fetch(`${content}/script.js`)).text()).toContain("window.helpDesk = 'desk';");
  const away = await fetch(`${content}/visitor-auth?location=/guide`, { redirect: 'manual' });
  expect(away.headers.get('location')).toMatch(/^https:\/\/login\.example\/authorize\?client_id=desk&/);
});

test('prints no secret in its output', () => {
  expect(dev.text()).not.toContain('canary');
});
