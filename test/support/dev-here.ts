import { expect } from 'vitest';
import { systemClock } from '../../src/protocol/clock.js';
import { createKeyboard, runCli, type CliOptions, type CliResult, type Keyboard } from './run-cli.js';

export interface DevHere {
  keyboard: Keyboard;
  /** What it has printed so far. */
  text(): string;
  /** Waits until it has printed this. */
  prints(what: RegExp): Promise<void>;
  /** Forgets what it has printed. */
  wipe(): void;
  ended: Promise<CliResult>;
  stop(): Promise<CliResult>;
}

/** `platform dev` in this process, with the child of the built package. */
export function devHere(folder: string, argv: string[] = [], options: CliOptions = {}): DevHere {
  const stopping = new AbortController();
  const keyboard = createKeyboard();
  let text = '';
  const ended = runCli(['dev', folder, '--state', 'memory', ...argv], {
    clock: systemClock,
    cwd: folder,
    signal: stopping.signal,
    keyboard,
    onStdout: (piece) => (text += piece),
    ...options,
  });
  return {
    keyboard,
    text: () => text,
    prints: (what) => expect.poll(() => text, { interval: 10 }).toMatch(what),
    wipe: () => (text = ''),
    ended,
    stop() {
      stopping.abort('SIGINT');
      return ended;
    },
  };
}
