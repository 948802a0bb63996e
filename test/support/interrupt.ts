import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const platform = fileURLToPath(new URL('../../bin/platform.js', import.meta.url));

/** All threads of a process, in milliseconds. 0 if it has ended. */
function processorTimeOf(pid: number): number {
  try {
    // The user's and the system's time in hundredths of a second follow the name in brackets.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').pop()?.split(' ') ?? [];
    return 10 * (Number(fields[11]) + Number(fields[12]));
  } catch {
    return 0;
  }
}

/**
 * Runs a command and interrupts it after `afterMs`, as Ctrl-C does. `left` lists what the command left in the
 * system's temporary folder. `tookMs` is the processor time that it still used, on Linux.
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
  const { pid = 0 } = child;
  let used = { atSignal: 0, last: 0 };
  let watching: NodeJS.Timeout | undefined;
  const pressing = setTimeout(() => {
    const atSignal = processorTimeOf(pid);
    used = { atSignal, last: atSignal };
    watching = setInterval(() => (used.last = Math.max(used.last, processorTimeOf(pid))), 5);
    process.kill(-pid, signal);
  }, afterMs);
  const [exitCode] = (await once(child, 'close')) as [number | null];
  clearTimeout(pressing);
  clearInterval(watching);
  // Before Node has started, the signal itself ends the process. Shells report that as 130.
  const code = exitCode ?? 130;
  // The code cache is expected to stay, because a later start may use it.
  const left = readdirSync(temporary).filter((name) => /^platform-(?!cache)/.test(name));
  return { code, errors, left, tookMs: used.last - used.atSignal };
}
