import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const platform = fileURLToPath(new URL('../../bin/platform.js', import.meta.url));

export interface DevSession {
  process: ChildProcess;
  urls: { console: string; envelope: string; api: string; publicEndpoint: string };
  lines: Record<string, unknown>[];
  /** Resolves to the first past or future line that matches. */
  line(fits: (line: Record<string, unknown>) => boolean): Promise<Record<string, unknown>>;
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Runs the built `platform dev` as a separate process. */
export async function startDev(folder: string, argv: string[] = []): Promise<DevSession> {
  const child = spawn(process.execPath, [platform, 'dev', folder, '--json', '--port', '0', ...argv], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, CI: '1' },
  });
  const lines: Record<string, unknown>[] = [];
  const waiting = new Set<() => void>();
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (errors += text));
  createInterface({ input: child.stdout }).on('line', (text) => {
    lines.push(JSON.parse(text));
    for (const look of waiting) look();
  });

  const line: DevSession['line'] = (fits) =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = lines.find(fits);
        if (!found) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      child.once('exit', (code) => reject(new Error(`platform dev ended with ${code}: ${errors}`)));
      look();
    });

  const ready = await line(({ type }) => type === 'ready');
  return {
    process: child,
    urls: ready['urls'] as DevSession['urls'],
    lines,
    line,
    async stop(signal = 'SIGINT') {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill(signal);
        await once(child, 'exit');
      }
      return child.exitCode;
    },
  };
}
