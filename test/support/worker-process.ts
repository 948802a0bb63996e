import { spawn, type ChildProcess, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../bin/platform-webhooks.js', import.meta.url));

export interface WorkerEvent {
  type: string;
  [key: string]: unknown;
}

export interface WorkerProcess {
  child: ChildProcess;
  /** The parsed lines of its JSON output. */
  events: WorkerEvent[];
  /** Resolves with the first past or future event of this type. */
  event(type: string): Promise<WorkerEvent>;
  /** The exit code, or null after a signal. */
  ended: Promise<number | null>;
  stderr(): string;
}

/** Runs `platform-webhooks worker` as a separate process. `wrap` is a command that runs its remaining arguments. */
export function startWorkerProcess(
  where: { url: string; schema: string; name?: string },
  args: readonly string[] = [],
  wrap: readonly string[] = [],
): WorkerProcess {
  const { url, schema, name = 'worker' } = where;
  const [command, ...before] = [...wrap, process.execPath];
  const child = spawn(
    command,
    [
      ...before,
      program,
      'worker',
      '--json',
      '--migrate',
      '--schema',
      schema,
      '--name',
      name,
      '--targets',
      'any',
      ...args,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, PLATFORM_DATABASE_URL: url } },
  );
  return watchWorker(child);
}

/** Reads the output lines of a worker that was started with `--json`. */
export function watchWorker(child: ChildProcessByStdio<null, Readable, Readable>): WorkerProcess {
  const events: WorkerEvent[] = [];
  const waiting = new Set<() => void>();
  let begun = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (begun + text).split('\n');
    begun = lines.pop() ?? '';
    events.push(...lines.map((line) => JSON.parse(line) as WorkerEvent));
    for (const look of waiting) look();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return {
    child,
    events,
    ended,
    stderr: () => stderr,
    event: (type) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = events.find((event) => event.type === type);
          if (!found) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
        void ended.then((code) =>
          reject(new Error(`The worker ended with ${code}, without "${type}":\n${stderr}`)),
        );
      }),
  };
}

export async function stopWorkers(workers: readonly WorkerProcess[]): Promise<void> {
  for (const { child } of workers) {
    child.kill('SIGCONT');
    child.kill('SIGKILL');
  }
  await Promise.all(workers.map(({ ended }) => ended));
}
