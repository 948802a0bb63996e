import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, utimesSync, watch } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { seededRandom } from '../support/random.js';
import { amount } from '../support/proved.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const platform = fileURLToPath(new URL('../../bin/platform.js', import.meta.url));
const kills = amount(20, 50);

const command = (folder: string): [string, string[]] => [
  process.execPath,
  [platform, 'init', folder, '--template', 'block', '--organization', 'acme', '--name', 'hello'],
];

const init = (cwd: string, folder: string) => spawn(...command(folder), { cwd, stdio: 'ignore' });

/** Every file with its hash. */
const contentOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .sort()
      .map((file) => [
        file.slice(folder.length + 1),
        createHash('sha256').update(readFileSync(file)).digest('hex'),
      ]),
  );

const leftoversIn = (folder: string): string[] =>
  readdirSync(folder).filter((name) => name.includes('.unfinished-'));

/** Resolves when something appears in the folder: the writing has begun. */
async function firstEntry(folder: string, ended: Promise<unknown>): Promise<void> {
  const watcher = watch(folder);
  await Promise.race([once(watcher, 'change'), ended]);
  watcher.close();
}

test('init writes either all files or none if it is killed at any random moment', async () => {
  const cwd = temporaryFolder();
  const random = seededRandom(20);
  const start = performance.now();
  await once(init(cwd, 'whole'), 'exit');
  const usual = performance.now() - start;
  const whole = contentOf(join(cwd, 'whole'));
  expect(Object.keys(whole).length).toBeGreaterThan(10);

  const figures = { kills, absent: 0, complete: 0, partial: 0, leftovers: 0 };
  // How long the writing takes depends on what else the machine does, so it is narrowed down to its last moment.
  let writing = 6;
  for (let run = 0; run < kills; run++) {
    const name = `hello-${run}`;
    const child = init(cwd, name);
    const ended = once(child, 'exit');
    if (run % 2 === 0) await delay(random() * usual * 1.1);
    else {
      await firstEntry(cwd, ended);
      await delay(random() * writing);
    }
    child.kill('SIGKILL');
    await ended;
    const absent = !readdirSync(cwd).includes(name);
    if (run % 2 === 1) writing *= absent ? 2 : 0.5;
    if (absent) figures.absent++;
    else if (JSON.stringify(contentOf(join(cwd, name))) === JSON.stringify(whole)) figures.complete++;
    else figures.partial++;
  }
  const leftovers = leftoversIn(cwd);
  figures.leftovers = leftovers.length;
  console.log(`platform init killed: ${JSON.stringify(figures)}`);
  expect(figures.partial).toBe(0);
  expect(figures.absent).toBeGreaterThan(0);
  expect(figures.complete).toBeGreaterThan(0);

  for (const name of leftovers) utimesSync(join(cwd, name), 0, 0);
  await once(init(cwd, 'next'), 'exit');
  expect(leftoversIn(cwd)).toEqual([]);
  expect(contentOf(join(cwd, 'next'))).toEqual(whole);
}, 240_000);

const hasStrace = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0;

/** The group that a process leads, if it lives and leads one. */
function groupLedBy(pid: number): number | undefined {
  try {
    // The fifth word; the second is a name in brackets.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').pop()?.split(' ');
    return Number(stat?.[2]) === pid ? pid : undefined;
  } catch {
    return undefined;
  }
}

function childOf(pid: number): number | undefined {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')[0]) || undefined;
  } catch {
    return undefined;
  }
}

/** In a group of its own, and each entry that it moves takes 3 ms. */
function initSlowly(cwd: string) {
  const [file, args] = command('.');
  const slow = ['-f', '--seccomp-bpf', '-qq', '-o', '/dev/null', '-e', 'inject=/^rename:delay_enter=3000'];
  const strace = spawn('strace', [...slow, 'setsid', file, ...args], { cwd, stdio: 'ignore' });
  const ended = once(strace, 'exit');
  const killGroup = (): void => {
    const child = childOf(strace.pid ?? 0);
    const group = child && groupLedBy(child);
    if (group) process.kill(-group, 'SIGKILL');
  };
  return { ended, killGroup };
}

test.skipIf(!hasStrace)(
  'init fills the current folder completely or not at all if killed',
  async () => {
    const cwd = temporaryFolder();
    const random = seededRandom(21);
    const folderOf = (name: string): string => {
      mkdirSync(join(cwd, name));
      return join(cwd, name);
    };
    const start = performance.now();
    const first = folderOf('whole');
    await initSlowly(first).ended;
    const usual = performance.now() - start;
    const whole = contentOf(first);
    expect(Object.keys(whole).length).toBeGreaterThan(10);

    const figures = { kills, whileMoving: 0, absent: 0, complete: 0, partial: 0 };
    for (let run = 0; run < kills; run++) {
      const folder = folderOf(`hello-${run}`);
      const { ended, killGroup } = initSlowly(folder);
      if (run % 2 === 0) await delay(random() * usual);
      else {
        await firstEntry(folder, ended);
        await delay(random() * 40);
      }
      killGroup();
      const seen = readdirSync(folder).length;
      if (seen > 0 && seen < readdirSync(first).length) figures.whileMoving++;
      await ended;
      if (readdirSync(folder).length === 0) figures.absent++;
      else if (JSON.stringify(contentOf(folder)) === JSON.stringify(whole)) figures.complete++;
      else figures.partial++;
    }
    console.log(`platform init . killed: ${JSON.stringify(figures)}`);
    expect(figures.partial).toBe(0);
    expect(figures.absent).toBeGreaterThan(0);
    expect(figures.complete).toBeGreaterThan(0);
    expect(figures.whileMoving).toBeGreaterThan(0);
  },
  120_000,
);
