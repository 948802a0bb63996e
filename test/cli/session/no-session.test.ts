import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { claimSession } from '../../../src/dev/claim-session.js';
import { runCli } from '../../support/run-cli.js';
import { openSession, type OpenSession } from '../../support/open-session.js';
import { project, script } from '../../support/session-script.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const everyCommand = [
  ['trigger', 'space_view'],
  ['config', 'get'],
  ['config', 'set', 'a=1'],
  ['config', 'unset', 'a'],
  ['install'],
  ['pause'],
  ['resume'],
  ['uninstall'],
  ['render', 'counter'],
  ['logs'],
  ['logs', '--follow'],
  ['inspect', 'call_1'],
  ['record', 'call_1'],
  ['replay', 'call_1'],
  ['state', 'save', 'a'],
  ['state', 'load', 'a'],
  ['state', 'list'],
];

test.each(everyCommand.map((argv) => [argv]))('%j explains how to start a session', async (argv) => {
  const cwd = temporaryFolder();
  const { code, stdout, stderr } = await runCli(argv, { cwd });
  expect([code, stdout, stderr]).toEqual([
    2,
    '',
    'error No platform is running in this folder or any of its parent folders.\n  Start one in another terminal: platform dev\n',
  ]);
  const json = await runCli([...argv, '--json'], { cwd });
  expect([json.code, JSON.parse(json.stdout), json.stderr]).toEqual([
    2,
    {
      version: 1,
      error: {
        code: 'no-session',
        message: 'No platform is running in this folder or any of its parent folders.',
        hint: 'Start one in another terminal: platform dev',
      },
    },
    '',
  ]);
});

test('does not treat a killed session as running', async () => {
  const cwd = temporaryFolder();
  const dead = {
    pid: process.pid,
    platformVersion: '1.0.0',
    token: 't',
    userId: process.geteuid?.(),
    isRunning: () => false,
    isAnswering: async () => false,
    mayBeSecond: false,
  };
  (await claimSession(cwd, dead)).announce({
    origin: 'http://127.0.0.1:1',
    consoleOrigin: 'http://127.0.0.1:1',
  });
  const { code, stderr } = await runCli(['logs'], { cwd });
  expect([code, stderr]).toEqual([
    2,
    'error The platform at http://127.0.0.1:1 is not responding.\n  Start one in another terminal: platform dev\n',
  ]);
});

let session: OpenSession;
beforeEach(async () => {
  session = await openSession(script, { integration: project });
});
afterEach(() => session.close());

test('finds the session from a subfolder, through a file that only the owner can read', async () => {
  const below = join(session.folder, 'src/deep');
  mkdirSync(below, { recursive: true });
  expect((await session.cli(['logs'], { cwd: below })).code).toBe(0);
  expect(statSync(join(session.folder, '.platform/session.json')).mode & 0o777).toBe(0o600);
});
