import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const platform = fileURLToPath(new URL('../../bin/platform.js', import.meta.url));

/**
 * What Ctrl-C sends to the processes of the terminal, after a while. `left` is what the command leaves in the
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
  // As shells report it: before Node has started, the signal itself ends the process.
  const code = exitCode ?? 130;
  // A later start may use the cache of compiled code.
  const left = readdirSync(temporary).filter((name) => /^platform-(?!cache)/.test(name));
  return { code, errors, left, took: performance.now() - start - afterMs };
}
