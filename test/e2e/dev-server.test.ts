import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startDev, type DevSession } from '../support/dev-session.js';
import { killUnderLoad } from '../support/kill-under-load.js';
import { amount } from '../support/proved.js';
import { obedientProject } from '../support/obedient-project.js';

let project: ReturnType<typeof obedientProject>;
let session: DevSession | undefined;
beforeEach(() => {
  project = obedientProject();
});
afterEach(async () => {
  await session?.stop('SIGKILL');
  session = undefined;
  project.remove();
});

const start = async (...argv: string[]): Promise<DevSession> => {
  session = await startDev(project.folder, argv);
  return session;
};

/** The processes that a platform has started, and the folder of their sockets. */
function startedBy(platform: number | undefined): { pids: number[]; folder: string } {
  const lines = execFileSync('ps', ['-eo', 'ppid=,pid=,args='], { encoding: 'utf8' }).split('\n');
  const own = lines.map((line) => line.trim().split(/\s+/)).filter(([parent]) => parent === String(platform));
  const folder = own.flat().find((word) => /[/]platform-\w+$/.test(word)) ?? '';
  return { pids: own.map(([, pid]) => Number(pid)), folder };
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('responds with 502 to pending requests and serves new ones after each kill under load', async () => {
  const { process: platform, urls } = await start();
  const toll = await killUnderLoad(
    { platform: platform.pid, endpoint: urls.publicEndpoint },
    amount(10, 100),
  );
  console.log('platform dev, its script killed', toll);
  expect(Object.keys(toll.answers)).toEqual(['200', '502']);
  expect(toll.slowestFailureMs).toBeLessThan(amount(Infinity, 1_000));
  expect(toll.slowestRecoveryMs).toBeLessThan(amount(Infinity, 2_000));
});

test('ends an infinite loop with 504 at the time limit, and serves the next request', async () => {
  const { urls, lines } = await start('--timeout', '1');
  const began = performance.now();
  const looped = await fetch(`${urls.publicEndpoint}/loop`);
  const limit = performance.now() - began;
  expect([looped.status, await looped.json()]).toEqual([504, { error: expect.any(String) }]);
  while ((await fetch(urls.publicEndpoint)).status !== 200);
  expect(limit).toBeGreaterThan(990);
  expect(JSON.stringify(lines)).toContain('504');
});

test.each<[how: string, signal: NodeJS.Signals, code: number | null]>([
  ['Ctrl-C', 'SIGINT', 130],
  ['SIGTERM', 'SIGTERM', 143],
  ['a closed terminal', 'SIGHUP', 129],
  ['SIGKILL', 'SIGKILL', null],
])(
  'leaves no process, folder or port behind after %s',
  async (_, signal, code) => {
    const { process: platform, urls, stop } = await start();
    const hanging = fetch(`${urls.publicEndpoint}/hang`).catch(() => undefined);
    const looping = fetch(`${urls.publicEndpoint}/loop`).catch(() => undefined);
    const { pids, folder } = startedBy(platform.pid);
    expect(pids.length).toBeGreaterThan(0);
    expect(existsSync(folder)).toBe(true);

    expect(await stop(signal)).toBe(code);
    await expect.poll(() => pids.filter(isAlive)).toEqual([]);
    await Promise.all([hanging, looping]);
    await expect(fetch(urls.publicEndpoint)).rejects.toThrow();
    await expect.poll(() => existsSync(folder)).toBe(false);
    if (signal !== 'SIGKILL') expect(existsSync(`${project.folder}/.platform/session.json`)).toBe(false);
  },
  60_000,
);

test('stops every part of the platform after the --exec command ends', async () => {
  const { process: platform, line } = await start('--exec', 'sleep 1; exit 3');
  const { pids } = startedBy(platform.pid);
  expect(pids.length).toBeGreaterThan(0);
  const code = await new Promise((resolve) => platform.once('exit', resolve));
  expect(code).toBe(3);
  await expect.poll(() => pids.filter(isAlive)).toEqual([]);
  await line(() => true);
});
