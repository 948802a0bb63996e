import { cpSync, openSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startDev, type DevSession } from '../support/dev-session.js';
import { runPlatform, type PlatformRun } from '../support/run-platform.js';
import { sharedFolder, temporaryFolder } from '../support/temporary-folder.js';

const fixture = fileURLToPath(new URL('../fixtures/projects/author', import.meta.url));

const folder = sharedFolder();
let dev: DevSession;
beforeAll(async () => {
  cpSync(fixture, folder, { recursive: true });
  dev = await startDev(folder);
});
afterAll(async () => {
  dev.process.kill('SIGCONT');
  await dev.stop();
});

const commands = [
  ['logs'],
  ['trigger', 'space_content_updated'],
  ['inspect', 'call_1'],
  ['replay', 'call_1'],
  ['config', 'get'],
  ['config', 'set', 'channel=general'],
  ['render', 'counter'],
  ['state', 'list'],
  ['pause'],
  ['open', 'site', '--print'],
];

const run = (argv: readonly string[]): Promise<PlatformRun> => runPlatform(argv, { cwd: folder });

test('every command stops waiting for a suspended platform and prints its process id', async () => {
  // One of them was waiting when the process stopped.
  const waiting = run(['logs', '--follow']);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  dev.process.kill('SIGSTOP');
  onTestFinished(() => void dev.process.kill('SIGCONT'));
  const { code, stderr } = await waiting;
  const named = expect.stringContaining(`(process ${dev.process.pid}) is not responding`);
  expect([code, stderr]).toEqual([2, named]);
  const runs: PlatformRun[] = [];
  for (let first = 0; first < commands.length; first += 3)
    runs.push(...(await Promise.all(commands.slice(first, first + 3).map(run))));
  for (const [index, { code, stderr }] of runs.entries())
    expect([commands[index], code, stderr]).toEqual([commands[index], 2, named]);
  console.log(`platform process stopped: ${runs.length + 1} of ${runs.length + 1} commands name it`);
});

test('logs --follow explains that it ends because the platform was killed', async () => {
  const other = temporaryFolder();
  cpSync(fixture, other, { recursive: true });
  const killed = await startDev(other);
  const outputs = ['text', 'json'].map((format) => join(other, `follow.${format}`));
  const following = outputs.map((file) =>
    runPlatform(['logs', '--follow', '--format', extname(file).slice(1)], {
      cwd: other,
      stdout: openSync(file, 'w'),
    }),
  );
  // The latest calls come first: both are connected.
  await expect.poll(() => outputs.every((file) => statSync(file).size > 0)).toBe(true);
  await killed.stop('SIGKILL');
  const runs = await Promise.all(following);
  expect(runs.map(({ code }) => code)).toEqual([2, 2]);
  const json = readFileSync(outputs[1] as string, 'utf8');
  expect([runs[0]?.stderr, json.split('\n').at(-2)]).toEqual([
    expect.stringContaining('is not responding'),
    expect.stringContaining('"code":"no-session"'),
  ]);
});

test('logs --follow keeps waiting for a platform that is healthy but has nothing to do', async () => {
  const { code, stdout, stderr } = await runPlatform(['logs', '--follow', '--type', 'site_view'], {
    cwd: folder,
    limitMs: 6000,
  });
  expect([code, stdout, stderr]).toEqual(['SIGKILL', '', '']);
});
