import { systemClock } from '../../src/base/clock.js';
import { createKeyboard, runCli, type CliOptions, type CliResult, type Keyboard } from './run-cli.js';

export interface DevHere {
  keyboard: Keyboard;
  /** The output so far. */
  text(): string;
  /** Waits until the output contains this. */
  prints(what: RegExp): Promise<void>;
  /** Clears the recorded output. */
  wipe(): void;
  ended: Promise<CliResult>;
  stop(): Promise<CliResult>;
}

/** Runs `platform dev` in this process, with the child program of the built package. */
export function devHere(folder: string, argv: string[] = [], options: CliOptions = {}): DevHere {
  const stopping = new AbortController();
  const keyboard = createKeyboard();
  let text = '';
  const waiting = new Set<() => void>();
  const ended = runCli(['dev', folder, '--state', 'memory', ...argv], {
    clock: systemClock,
    cwd: folder,
    signal: stopping.signal,
    keyboard,
    onStdout(piece) {
      text += piece;
      for (const look of waiting) look();
    },
    ...options,
  });
  return {
    keyboard,
    text: () => text,
    prints: (what) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (what.test(text)) resolve();
        };
        waiting.add(look);
        look();
        const fail = (why: string) => reject(new Error(`${String(what)}: ${why}\n${text}`));
        void ended.then(({ stderr }) => fail(`it has ended. ${stderr}`));
        setTimeout(() => fail('not in 60 s.'), 60_000).unref();
      }),
    wipe: () => (text = ''),
    ended,
    stop() {
      stopping.abort('SIGINT');
      return ended;
    },
  };
}
