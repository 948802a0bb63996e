import { createVirtualClock, type SystemClock } from '../../src/base/clock.js';
import type { Io, Question } from '../../src/cli/context/io.js';
import { platform } from '../../src/cli/commands/index.js';
import type { CommandSpec, ProgramSpec } from '../../src/cli/context/command.js';
import { runCli as run } from '../../src/cli/run-cli.js';

export interface CliOptions {
  cwd?: string;
  env?: Record<string, string>;
  stdin?: string | Uint8Array;
  /** Whether input and output are terminals. `answers` has an answer for each question, by name. */
  terminal?: boolean;
  answers?: Record<string, unknown>;
  columns?: number;
  /** The keyboard whose keys a command in a terminal reads. */
  keyboard?: Keyboard;
  pid?: number;
  /** Default: only this process is running. */
  isRunning?(pid: number): boolean;
  signal?: AbortSignal;
  clock?: SystemClock;
  /** Default: `platform`. */
  program?: ProgramSpec;
  /** Commands that replace the real ones. */
  commands?: readonly CommandSpec[];
  /** Called with each piece of standard output as it arrives. */
  onStdout?(text: string): void;
}

export interface Keyboard {
  /** Whether a command is reading its keys. */
  followed(): boolean;
  press(key: string): void;
  follow(press: (key: string) => void): () => void;
}

export function createKeyboard(): Keyboard {
  let follower: ((key: string) => void) | undefined;
  return {
    followed: () => follower !== undefined,
    press(key) {
      if (!follower) throw new Error(`Nobody follows the key ${key}.`);
      follower(key);
    },
    follow(press) {
      if (follower) throw new Error('The keys are followed twice.');
      follower = press;
      return () => (follower = undefined);
    },
  };
}

export interface CliResult {
  code: number;
  stdout: string;
  stderr: string;
  asked: Question[];
}

const pick = (answers: Record<string, unknown>, questions: Question[]): Record<string, unknown> =>
  Object.fromEntries(questions.map(({ name }) => [name, answers[name]]));

/** Runs the whole command in this process, isolated from the real environment. */
export async function runCli(argv: string[], options: CliOptions = {}): Promise<CliResult> {
  const { terminal = false, columns = 80, answers, program = platform } = options;
  const result: CliResult = { code: -1, stdout: '', stderr: '', asked: [] };
  const io: Io = {
    cwd: options.cwd ?? process.cwd(),
    env: options.env ?? {},
    pid: options.pid ?? process.pid,
    execPath: process.execPath,
    platform: process.platform,
    userId: process.geteuid?.(),
    isRunning: options.isRunning ?? ((pid) => pid === process.pid),
    stdout: {
      isTTY: terminal,
      columns,
      write: (text) => {
        result.stdout += text;
        options.onStdout?.(text);
      },
    },
    stderr: { isTTY: terminal, columns, write: (text) => (result.stderr += text) },
    stdin: {
      isTTY: terminal,
      bytes: async () =>
        typeof options.stdin === 'string'
          ? new TextEncoder().encode(options.stdin)
          : (options.stdin ?? new Uint8Array()),
      chunks: async function* () {
        if (options.stdin !== undefined) yield Buffer.from(options.stdin);
      },
      keys: (press) => options.keyboard?.follow(press) ?? (() => {}),
    },
    takeInterrupts: () => options.signal ?? new AbortController().signal,
    ask: async (questions) => {
      if (options.keyboard?.followed()) throw new Error('The keys are followed during a question.');
      result.asked.push(...questions);
      return answers && pick(answers, questions);
    },
    clock: options.clock ?? createVirtualClock(1_700_000_000_000),
  };
  result.code = await run(argv, io, { ...program, commands: options.commands ?? program.commands });
  return result;
}
