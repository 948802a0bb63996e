import { closeSync } from 'node:fs';
import { UserError } from '../../base/user-error.js';
import { systemClock, type SystemClock } from '../../base/clock.js';
import { interruptionCode, type Interruption } from './interruption.js';

export interface Output {
  write(text: string): void;
  isTTY: boolean;
  columns: number;
}

export interface Question {
  name: string;
  message: string;
  type: 'text' | 'select' | 'multiselect' | 'confirm';
  initial?: string | number | boolean;
  choices?: { title: string; value: string; description?: string; selected?: boolean }[];
  validate?(value: string): true | string;
}

/** Everything outside the process that a command uses. Tests pass their own implementation. */
export interface Io {
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  pid: number;
  /** The path of the running Node executable, which is used to start other processes. */
  execPath: string;
  platform: string;
  /** The id of the current user. Undefined on Windows. */
  userId: number | undefined;
  isRunning(pid: number): boolean;
  stdout: Output;
  stderr: Output;
  stdin: {
    isTTY: boolean;
    bytes(): Promise<Uint8Array>;
    /** Yields chunks as they arrive, until the input ends or the signal is aborted. */
    chunks(signal: AbortSignal): AsyncIterable<Uint8Array>;
    /** Reports single key presses until the returned function is called. */
    keys(press: (key: string) => void): () => void;
  };
  /**
   * Until a command calls this, Ctrl-C, SIGTERM, SIGHUP and a closed standard output end the process, even in the middle of
   * synchronous work. From then on, they abort the signal instead, and the command must end soon.
   */
  takeInterrupts(): AbortSignal;
  ask(questions: Question[]): Promise<Record<string, unknown> | undefined>;
  clock: SystemClock;
}

/** How long a command may take to end once it handles interrupts. */
const patience = 20_000;

export function createProcessIo(): Io {
  const interrupted = new AbortController();
  let taken = false;
  const interrupt = (by: Interruption): void => {
    if (!taken || interrupted.signal.aborted) process.exit(interruptionCode(by));
    interrupted.abort(by);
    setTimeout(() => process.exit(interruptionCode(by)), patience).unref();
  };
  /** Both the system and the shell may report that a terminal was closed. Anything that the command prints after that fails. */
  const interruptOnce = (by: Interruption): void => {
    if (interrupted.signal.aborted) return;
    if (by === 'SIGHUP') process.once('exit', closeStandardStreams);
    interrupt(by);
  };
  const take = (): void => {
    if (!taken) process.on('SIGINT', interrupt).on('SIGTERM', interrupt).on('SIGHUP', interruptOnce);
    taken = true;
  };
  const release = (): void => {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt).off('SIGHUP', interruptOnce);
    taken = false;
  };
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') return interruptOnce('SIGPIPE');
    if (code === 'EIO') return interruptOnce('SIGHUP');
    const why = code === 'ENOSPC' ? 'the disk is full' : message;
    process.stderr.write(`error Could not write to standard output: ${why}.\n`);
    process.exit(2);
  });
  const { stdout, flush } = gatherOutput(createOutput(() => process.stdout));

  return {
    get cwd() {
      return workingFolder();
    },
    env: process.env,
    pid: process.pid,
    execPath: process.execPath,
    platform: process.platform,
    userId: process.geteuid?.(),
    isRunning,
    stdout,
    stderr: afterAll(
      flush,
      createOutput(() => process.stderr.on('error', () => {})),
    ),
    stdin: {
      get isTTY() {
        return process.stdin.isTTY ?? false;
      },
      async bytes() {
        const chunks: Buffer[] = [];
        for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
        return Buffer.concat(chunks);
      },
      chunks: chunksOfStdin,
      keys: (press) => readKeys(process.stdin, press, () => interrupt('SIGINT')),
    },
    takeInterrupts() {
      take();
      return interrupted.signal;
    },
    async ask(questions) {
      flush();
      const wasTaken = taken;
      take();
      try {
        return await ask(questions, interrupted.signal);
      } finally {
        if (!wasTaken && !interrupted.signal.aborted) release();
      }
    },
    clock: systemClock,
  };
}

/**
 * On exit, Node restores the terminal settings of every open stream, and aborts if the terminal has been closed. Closing the
 * streams prevents this.
 */
function closeStandardStreams(): void {
  for (const stream of [0, 1, 2]) {
    try {
      closeSync(stream);
    } catch {
      // The stream was not open.
    }
  }
}

/** The folder may have been deleted in another terminal or by switching branches. */
function workingFolder(): string {
  try {
    return process.cwd();
  } catch {
    throw new UserError(
      'no-such-folder',
      'The current folder no longer exists.',
      'If it was created again, return to it with: cd "$PWD"',
    );
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Destroys the stream at the end, so it no longer keeps the process alive. */
async function* chunksOfStdin(signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const { stdin } = process;
  const destroy = (): void => void stdin.destroy();
  signal.addEventListener('abort', destroy);
  try {
    for await (const chunk of stdin) yield chunk as Buffer;
  } finally {
    signal.removeEventListener('abort', destroy);
    destroy();
  }
}

/** Opened on first use, because Node takes several milliseconds to open a pipe as a stream. */
function createOutput(open: () => NodeJS.WriteStream): Output {
  let opened: NodeJS.WriteStream | undefined;
  const stream = (): NodeJS.WriteStream => (opened ??= open());
  return {
    write: (text) => void stream().write(text),
    get isTTY() {
      return stream().isTTY ?? false;
    },
    get columns() {
      return stream().columns || 80;
    },
  };
}

const withWrite = (output: Output, write: Output['write']): Output => ({
  write,
  get isTTY() {
    return output.isTTY;
  },
  get columns() {
    return output.columns;
  },
});

/** Combines all writes in the same turn of the event loop. */
function gatherOutput(output: Output): { stdout: Output; flush(): void } {
  let gathered = '';
  const flush = (): void => {
    if (gathered !== '') output.write(gathered);
    gathered = '';
  };
  process.on('exit', flush);
  const stdout = withWrite(output, (text) => {
    if (gathered === '') setImmediate(flush);
    gathered += text;
  });
  return { stdout, flush };
}

/** Both streams may write to the same terminal, so the order of their writes is preserved. */
const afterAll = (flush: () => void, output: Output): Output =>
  withWrite(output, (text) => {
    flush();
    output.write(text);
  });

/** Reading from a closed terminal fails. SIGHUP also reports that the terminal was closed. */
function ignoreClosedTerminal(stdin: NodeJS.ReadStream): void {
  if (stdin.listenerCount('error') === 0) stdin.on('error', () => {});
}

function readKeys(stdin: NodeJS.ReadStream, press: (key: string) => void, interrupt: () => void): () => void {
  const onData = (data: Buffer): void => {
    const key = data.toString('utf8');
    if (key === '\u0003') interrupt();
    else press(key);
  };
  ignoreClosedTerminal(stdin);
  stdin.setRawMode(true);
  stdin.on('data', onData);
  stdin.resume();
  return () => {
    stdin.off('data', onData);
    stdin.setRawMode(false);
    stdin.pause();
  };
}

/** Shows the cursor again, because prompts hide it. */
const showCursor = '\u001B[?25h\n';

/** A signal cancels the prompt, because reading from the terminal would otherwise keep the process alive. */
async function ask(questions: Question[], signal: AbortSignal): Promise<Record<string, unknown> | undefined> {
  const { default: prompts } = await import('prompts');
  ignoreClosedTerminal(process.stdin);
  let gaveUp = false;
  const interrupted = new Promise<Record<string, unknown>>((resolve) => {
    signal.addEventListener('abort', () => {
      gaveUp = true;
      process.stdin.setRawMode(false).pause();
      process.stdout.write(showCursor);
      resolve({});
    });
  });
  const onCancel = (): boolean => {
    gaveUp = true;
    return false;
  };
  process.stdin.prependListener('keypress', asInShells);
  const answers: Record<string, unknown> = await Promise.race([
    prompts(questions.map(trimming) as Parameters<typeof prompts>[0], { onCancel }),
    interrupted,
  ]);
  process.stdin.off('keypress', asInShells);
  return gaveUp ? undefined : answers;
}

/**
 * Makes Ctrl-U clear the line (Ctrl-G in this library), and ignores other control keys, which would end up in the answer.
 */
function asInShells(_: string, key: { ctrl: boolean; meta: boolean; name: string }): void {
  if (!key.ctrl || key.name.length > 1) return;
  if (key.name === 'u') key.name = 'g';
  else if (!'acdeg'.includes(key.name)) key.meta = true;
}

/** Trims answers, because spaces around them are unintended. */
const trimming = (question: Question) =>
  question.type === 'text'
    ? {
        ...question,
        format: (text: string) => text.trim(),
        validate: (text: string) => question.validate?.(text.trim()) ?? true,
      }
    : question;
