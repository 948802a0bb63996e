import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { steady } from './same-output.js';

export interface Shell {
  /** The current folder, which `cd` changes. */
  folder(): string;
  run(script: string): Promise<{ code: number; output: string }>;
  /** Starts a program that keeps running during the next commands. */
  start(script: string): void;
  /** Waits until the output of the background programs matches. */
  waitForOutput(fits: (output: string) => boolean): Promise<{ found: boolean; output: string }>;
  /** The length of the `steady` output of the background programs so far. */
  printed(): number;
  /** Waits until a running `platform dev` has built a file that was just written. */
  waitForReload(): Promise<void>;
  close(): Promise<void>;
}

const longestCommand = 120_000;
const longestWait = 20_000;

function environmentOf(bin: string): NodeJS.ProcessEnv {
  const { PATH = '', HOME, TMPDIR } = process.env;
  const git = {
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_AUTHOR_NAME: 'Author',
    GIT_AUTHOR_EMAIL: 'author@example.com',
  };
  return {
    PATH: [bin, dirname(process.execPath), PATH].join(delimiter),
    ...(HOME ? { HOME } : {}),
    ...(TMPDIR ? { TMPDIR } : {}),
    ...git,
    GIT_COMMITTER_NAME: git.GIT_AUTHOR_NAME,
    GIT_COMMITTER_EMAIL: git.GIT_AUTHOR_EMAIL,
    NO_COLOR: '1',
    npm_config_update_notifier: 'false',
    npm_config_loglevel: 'error',
  };
}

/** Ends a program and every process that it has started. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = once(child, 'exit');
  process.kill(-child.pid, 'SIGTERM');
  const timer = setTimeout(() => child.pid && process.kill(-child.pid, 'SIGKILL'), 5_000);
  await ended;
  clearTimeout(timer);
}

const start = (script: string, cwd: string, env: NodeJS.ProcessEnv): ChildProcess =>
  spawn('bash', ['-c', script], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });

/** Runs commands one after another, as a reader does in one terminal, so `cd` and `export` stay in effect. */
export function openShell(folder: string, bin: string): Shell {
  const kept = join(dirname(folder), 'shell-state');
  const env = environmentOf(bin);
  const background: ChildProcess[] = [];
  let printed = '';
  let cwd = folder;

  const waitForOutput: Shell['waitForOutput'] = async (fits) => {
    const until = Date.now() + longestWait;
    while (!fits(printed) && Date.now() < until) await wait(50);
    return { found: fits(printed), output: printed };
  };

  return {
    folder: () => cwd,
    async run(script) {
      const before = existsSync(kept) ? `. ${kept}\n` : '';
      const child = start(
        `${before}${script}\nstatus=$?\n{ pwd; export -p; } >${kept}.new\nexit $status`,
        cwd,
        env,
      );
      let output = '';
      child.stdout?.setEncoding('utf8').on('data', (text) => (output += text));
      child.stderr?.setEncoding('utf8').on('data', (text) => (output += text));
      const timer = setTimeout(() => void end(child), longestCommand);
      const [code] = await once(child, 'close');
      clearTimeout(timer);
      if (existsSync(`${kept}.new`)) {
        const [into = cwd, ...exported] = readFileSync(`${kept}.new`, 'utf8').split('\n');
        cwd = into;
        writeFileSync(kept, exported.join('\n'));
        rmSync(`${kept}.new`);
      }
      // Replaces paths on this machine with paths in a reader's home folder.
      return { code: code ?? 1, output: output.replaceAll(folder, '/home/me') };
    },
    start(script) {
      const child = start(existsSync(kept) ? `. ${kept}\n${script}` : script, cwd, env);
      background.push(child);
      for (const stream of [child.stdout, child.stderr])
        stream?.setEncoding('utf8').on('data', (text) => (printed += text));
    },
    waitForOutput,
    printed: () => steady(printed).length,
    async waitForReload() {
      if (background.length === 0) return;
      const before = printed.length;
      const until = Date.now() + 3_000;
      while (!/built in|error/.test(printed.slice(before)) && Date.now() < until) await wait(50);
    },
    async close() {
      await Promise.all(background.map(end));
    },
  };
}
