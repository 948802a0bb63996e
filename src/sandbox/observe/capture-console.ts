import { Console } from 'node:console';
import type { ScriptLog } from '../script/script-host.js';

type Level = ScriptLog['level'];

const levels = {
  debug: 'debug',
  log: 'info',
  info: 'info',
  warn: 'warn',
  error: 'error',
  trace: 'error',
} as const satisfies Partial<Record<keyof Console, Level>>;

interface Capture {
  take(level: Level, text: string): void;
  /** Whether to capture output now. If not, it is printed as usual. */
  when?(): boolean;
}

/** Passes console output to `take`, formatted the way Node prints it. Returns a function that restores the console. */
export function captureConsole(target: Console, { take, when = () => true }: Capture): () => void {
  let level: Level | undefined;
  const sink = (fallback: Level): NodeJS.WritableStream =>
    ({
      write: (text: string) => take(level ?? fallback, text.endsWith('\n') ? text.slice(0, -1) : text),
    }) as NodeJS.WritableStream;
  const capturing = new Console({ stdout: sink('info'), stderr: sink('warn'), ignoreErrors: false });

  const original = { ...target };
  for (const [name, method] of Object.entries(capturing) as [keyof typeof levels, Console['log']][]) {
    const former = original[name];
    if (typeof former !== 'function') continue;
    target[name] = (...args: unknown[]) => {
      if (!when()) return former.apply(target, args);
      level = levels[name];
      try {
        return method(...args);
      } finally {
        level = undefined;
      }
    };
  }
  return () => void Object.assign(target, original);
}
