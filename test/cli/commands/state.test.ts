import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSession, type OpenSession } from '../../support/open-session.js';
import { project, script } from '../../support/session-script.js';

let session: OpenSession;
beforeAll(async () => {
  session = await openSession(script, { integration: project });
});
afterAll(() => session.close());

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
