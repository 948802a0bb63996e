import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, expect, test } from 'vitest';
import { childProgram } from '../../support/child-program.js';
import { buildSandboxParent, running } from '../../support/sandbox-parent.js';
import { script } from '../sample-call.js';
import { sharedFolder } from '../../support/temporary-folder.js';

const folder = sharedFolder();
beforeAll(async () => {
  await buildSandboxParent(join(folder, 'parent.mjs'));
});

const calm = script(`return new Response('')`);
const deaf = script(
  `return new Response('')`,
  `import process from 'node:process';
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(name, () => {});`,
);
const looping = script(`console.log('looping'); for (;;);`);
const loopingAtLoad = { code: `console.log('looping'); for (;;);` };
const leaving = script(
  `return new Response('')`,
  `import process from 'node:process';
  import { setInterval } from 'node:timers';
  process.chdir('/');
  setInterval(() => {}, 1000);`,
);

test.each<[what: string, code: string, then: string, sign: string, signal: NodeJS.Signals]>([
  ['SIGKILL while it is idle', calm.code, '', 'loaded', 'SIGKILL'],
  ['SIGKILL during an infinite loop', looping.code, 'call', 'looping', 'SIGKILL'],
  ['SIGKILL during an infinite loop while loading', loopingAtLoad.code, '', 'looping', 'SIGKILL'],
  ['SIGTERM when the script ignores signals', deaf.code, '', 'loaded', 'SIGTERM'],
  ['SIGINT when the script has changed its folder', leaving.code, '', 'loaded', 'SIGINT'],
  ['a normal exit', calm.code, 'exit', 'loaded', 'SIGUSR2'],
])('leaves no process behind if the platform is ended by %s', async (_, code, then, sign, signal) => {
  const place = mkdtempSync(join(folder, 'p-'));
  writeFileSync(join(place, 'kept'), '');
  const parent = spawn(
    process.execPath,
    [join(folder, 'parent.mjs'), place, await childProgram(), code, then],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ended = new Promise((resolve) => parent.once('exit', resolve));
  for await (const line of createInterface(parent.stdout)) if (line.startsWith(sign)) break;
  expect((await running(place)).length).toBeGreaterThan(0);
  parent.kill(signal);
  await ended;
  await expect.poll(() => running(place)).toEqual([]);
  expect(readdirSync(place)).toEqual(['kept']);
});

test('leaves no process behind after close, even if the script ignores signals', async () => {
  const place = mkdtempSync(join(folder, 'p-'));
  const parent = spawn(
    process.execPath,
    [join(folder, 'parent.mjs'), place, await childProgram(), deaf.code, 'close'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  for await (const line of createInterface(parent.stdout)) if (line.startsWith('loaded')) break;
  await expect.poll(() => running(place)).toEqual([]);
  await expect.poll(() => existsSync(place) && readdirSync(place)).toEqual([]);
  parent.kill('SIGKILL');
});
