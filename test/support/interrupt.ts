import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const platform = fileURLToPath(new URL('../../bin/platform.js', import.meta.url));

/**
 * Runs a command and interrupts it after `afterMs`, as Ctrl-C does. `left` lists what the command left in the
 * system's temporary folder.
 */
export async function interrupt(
  cwd: string,
  argv: string[],
  afterMs: number,
  signal: NodeJS.Signals = 'SIGINT',
) {
  const temporary = mkdtempSync(join(cwd, 'tmp-'));
  const child = spawn(process.execPath, [platform, ...argv], {
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, TMPDIR: temporary },
    detached: true,
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (errors += text));
  const pressing = setTimeout(() => process.kill(-(child.pid ?? 0), signal), afterMs);
  const start = performance.now();
  const [exitCode] = (await once(child, 'close')) as [number | null];
  clearTimeout(pressing);
  // Before Node has started, the signal itself ends the process. Shells report that as 130.
  const code = exitCode ?? 130;
  // The code cache is expected to stay, because a later start may use it.
  const left = readdirSync(temporary).filter((name) => /^platform-(?!cache)/.test(name));
  return { code, errors, left, took: performance.now() - start - afterMs };
}
