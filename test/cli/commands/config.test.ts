import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSession, type OpenSession } from '../../support/open-session.js';
import { project, script } from '../../support/session-script.js';

let session: OpenSession;
beforeAll(async () => {
  session = await openSession(script, { integration: project });
});
afterAll(() => session.close());

test('lists missing values and sends the setup event after each edit', async () => {
  const first = await session.cli(['config', 'get']);
  expect([first.code, first.stdout]).toEqual([
    0,
    'installation_1  pending\n  channel  not set, required\n  limit    not set\n',
  ]);

  const before = session.events().length;
  const set = await session.cli(['config', 'set', 'channel=general', 'limit=3']);
  expect([set.code, set.stdout]).toEqual([0, 'installation_1  active\n  channel  "general"\n  limit    3\n']);
  const sent = session.events().slice(before);
  expect(sent.filter(({ type }) => type === 'installation_setup')).toMatchObject([
    { type: 'installation_setup', status: 'active', previous: { status: 'pending' } },
  ]);

  expect((await session.cli(['config', 'get', 'channel'])).stdout).toBe('general\n');
  expect((await session.cli(['config', 'get', 'limit', '--json'])).json).toEqual({
    version: 1,
    name: 'limit',
    value: 3,
  });

  const unset = await session.cli(['config', 'unset', 'channel', '--json']);
  expect([unset.code, unset.json]).toMatchObject([
    0,
    { version: 1, status: 'pending', configuration: { limit: 3 } },
  ]);
});

test.each([
  ['12', '12'],
  ['1.50', '1.50'],
  ['true', 'true'],
  ['"quoted"', 'quoted'],
  ['two words', 'two words'],
])('stores %s as a string for a string property', async (typed, value) => {
  const { json } = await session.cli(['config', 'set', `channel=${typed}`, 'limit=1.50', '--json']);
  expect(json).toMatchObject({ status: 'active', configuration: { channel: value, limit: 1.5 } });
  await session.cli(['config', 'unset', 'channel']);
});

test('warns if the script does not offer the value', async () => {
  const { code, stdout, stderr } = await session.cli(['config', 'set', 'channel=genral']);
  expect([code, stdout]).toEqual([0, expect.stringContaining('channel  "genral"')]);
  expect(stderr).toContain('channel: "genral" is not among the 2 options that /channels returns.');
  expect((await session.cli(['config', 'set', 'channel=general'])).stderr).toBe('');
  await session.cli(['config', 'unset', 'channel']);
});

test('stores a separate configuration for a site', async () => {
  const { stdout } = await session.cli(['config', 'get', '--site', 'site_local']);
  expect(stdout).toBe(
    'installation_1 / site_local  active\n  The manifest declares no properties for this target.\n',
  );
});

test.each<[argv: string[], message: string, hint: string]>([
  [['set', 'chanel=general'], 'Unknown property: chanel', 'Did you mean channel?'],
  [['set', 'zzz=1'], 'Unknown property: zzz', 'Choose one of channel, limit.'],
  [['set', 'channel'], '"channel" has no value.', 'Write it as name=value.'],
  [['set'], "Missing required argument 'name=value'", '--help'],
  [['unset', 'chanel'], 'Unknown property: chanel', 'Did you mean channel?'],
  [['get', 'channel'], 'channel is not set.', 'platform config set channel=<value>'],
  [['get', 'constructor'], 'Unknown property: constructor.', 'Choose one of channel, limit.'],
  [['set', 'toString=1'], 'Unknown property: toString', 'Choose one of channel, limit.'],
  [['get', 'chanel'], 'Unknown property: chanel.', 'Did you mean channel?'],
  [
    ['set', 'a=1', '--site', 'site_local'],
    'no properties under configurations.site.',
    'platform add configuration',
  ],
  [['get', 'a', '--site', 'site_local'], 'Unknown property: a.', 'platform add configuration <name>'],
  [['get', '--space', 'space_lokal'], 'not installed in the space', 'Did you mean space_local?'],
  [['get', '--site', 'a', '--space', 'b'], 'Pass a site or a space, not both.', ''],
  [['got'], "Unknown command 'got'", 'Did you mean get?'],
])('config %j fails and suggests the next step', async (argv, message, hint) => {
  const { code, stdout, stderr } = await session.cli(['config', ...argv]);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(message);
  expect(stderr).toContain(hint);
  expect((await session.cli(['config', ...argv, '--json'])).json).toMatchObject({ version: 1, error: {} });
});

const channel = async (): Promise<string> => (await session.cli(['config', 'get', 'channel'])).stdout;

test('saves, changes and restores a state without sending events', async () => {
  expect((await session.cli(['state', 'list'])).stdout).toContain('platform state save <name>');
  expect((await session.cli(['state', 'load', 'none'])).stderr).toContain('platform state save <name>');
  await session.cli(['config', 'set', 'channel=general']);
  const saved = await session.cli(['state', 'save', 'connected']);
  expect([saved.code, saved.stdout]).toEqual([
    0,
    'Saved as connected. Restore it with: platform state load connected\n',
  ]);
  await session.cli(['config', 'set', 'channel=random']);
  const events = session.events().length;
  const loaded = await session.cli(['state', 'load', 'connected']);
  expect([loaded.code, loaded.stdout]).toEqual([0, 'Restored connected.\n']);
  expect(await channel()).toBe('general\n');
  expect(session.events().length).toBe(events);
});

test('prints one JSON document for every state command', async () => {
  expect((await session.cli(['state', 'save', 'a', '--json'])).json).toEqual({ version: 1, saved: 'a' });
  expect((await session.cli(['state', 'load', 'a', '--json'])).json).toEqual({ version: 1, loaded: 'a' });
  const { json } = await session.cli(['state', 'list', '--json']);
  expect(json).toMatchObject({ version: 1, snapshots: [{ name: 'connected' }, { name: 'a' }] });
});

test('lists the saved states, most recent first, with aligned times', async () => {
  const { stdout } = await session.cli(['state', 'list']);
  expect(stdout).toMatch(/^a {10}\d{4}-\d\d-\d\d \d\d:\d\d\nconnected {2}\d{4}-\d\d-\d\d \d\d:\d\d\n$/);
});

test.each<[argv: string[], message: string, hint: string]>([
  [['load', 'conected'], 'Unknown saved state: conected.', 'Did you mean connected?'],
  [['save', 'a b'], 'A name can contain only letters, digits, dots and hyphens.', ''],
  [['load'], "Missing required argument 'name'", '--help'],
  [['lod', 'connected'], "Unknown command 'lod'", 'Did you mean load?'],
])('state %j fails and suggests the next step', async (argv, message, hint) => {
  const { code, stdout, stderr } = await session.cli(['state', ...argv]);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(message);
  expect(stderr).toContain(hint);
  expect((await session.cli(['state', ...argv, '--json'])).json).toMatchObject({ version: 1, error: {} });
});
