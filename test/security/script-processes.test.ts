import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync } from 'node:fs';
import { platform } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { beforeAll, expect, test } from 'vitest';
import { childProgram } from '../support/child-program.js';
import { buildSandboxParent } from '../support/sandbox-parent.js';
import { sharedFolder } from '../support/temporary-folder.js';

const folder = sharedFolder();
beforeAll(async () => {
  await buildSandboxParent(join(folder, 'parent.mjs'));
});

/** Each sleeps for as long as no other process of the machine does. */
const length = `${100_000 + process.pid}.${Date.now() % 1000}`;
const started = {
  'a child': `spawn('sleep', ['${length}'])`,
  'a grandchild': `spawn('sh', ['-c', 'sleep ${length} & wait'])`,
  'an orphan in its group': `spawn('sh', ['-c', 'sleep ${length} &'])`,
  'a child in a group of its own': `spawn('sleep', ['${length}'], { detached: true }).unref()`,
  'a grandchild in a group of its own': `spawn('setsid', ['sh', '-c', 'setsid sleep ${length} & wait'])`,
  'a daemon that has left its parent and its session': `spawn('sh', ['-c', 'setsid sh -c "setsid sleep ${length} &" &'])`,
  'a child that ignores signals': `spawn('sh', ['-c', 'trap "" HUP INT TERM; sleep ${length} & wait'])`,
};
const after = {
  'and sits still': '',
  'and closes its pipes': `for (let fd = 1; fd < 6; fd += 1) closeSync(fd);`,
  'and loops': `for (;;);`,
};
const script = (then: string): string => `
  const load = (name) => import(['node', name].join(':'));
  const { spawn } = await load('child_process');
  const { closeSync } = await load('fs');
  const { setTimeout } = await load('timers');
  ${Object.values(started).join(';\n')};
  setTimeout(() => { console.log('started'); setTimeout(() => { ${then} }, 500); }, 300);
  export default { fetch: () => new Response('') };`;

async function running(): Promise<string[]> {
  const { stdout } = await execa('ps', ['-eo', 'pid=,args=']);
  return stdout
    .split('\n')
    .filter((line) => (line.includes(length) || line.includes(folder)) && !line.includes('parent.mjs'));
}

/** With an infinite loop, an orderly end waits for `waitUntil` work in vain: 10 s that show nothing more. */
const ends: [signal: NodeJS.Signals, what: keyof typeof after][] = [
  ['SIGKILL', 'and sits still'],
  ['SIGKILL', 'and closes its pipes'],
  ['SIGKILL', 'and loops'],
  ['SIGHUP', 'and loops'],
  ['SIGTERM', 'and closes its pipes'],
  ['SIGINT', 'and sits still'],
];

// Only Linux shows what has left the group of its process.
test.skipIf(platform() !== 'linux')("ends a script's child processes when the platform exits", async () => {
  let slowest = 0;
  for (const [signal, what] of ends) {
    const place = mkdtempSync(join(folder, 'p-'));
    const argv = [join(folder, 'parent.mjs'), place, await childProgram(), script(after[what]), 'signals'];
    const parent = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = new Promise((resolve) => parent.once('exit', resolve));
    for await (const line of createInterface(parent.stdout)) if (line.endsWith('started')) break;
    // What follows may end the script: it comes later than this.
    const before = await running();
    await sleep(600);
    expect(before.length).toBeGreaterThan(Object.keys(started).length);
    parent.kill(signal);
    await ended;
    const start = performance.now();
    await expect.poll(running, { message: `${signal}, a script that starts processes ${what}` }).toEqual([]);
    slowest = Math.max(slowest, performance.now() - start);
    expect(readdirSync(place)).toEqual([]);
  }
  console.log(
    `script's processes: ${ends.length} ends of the platform, ${Object.keys(started).length} kinds of processes, all gone after ${Math.round(slowest)} ms at most`,
  );
});
