import { expect, test } from 'vitest';
import { claimSession } from '../../../src/dev/claim-session.js';
import { runCli } from '../../support/run-cli.js';
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
  ['webhook', 'add', '--url', 'http://h/', '--event', 'site_view'],
  ...['list', 'deliveries'].map((verb) => ['webhook', verb]),
  ...['remove', 'enable', 'disable', 'rotate', 'resend'].map((verb) => ['webhook', verb, 'whe_1']),
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
