import { resolve } from 'node:path';
import { jsonText } from '../terminal/printable-json.js';
import { createStyle, wantsColor, type Style } from '../terminal/style.js';
import { wrapText } from '../terminal/wrap-text.js';
import { visible, visibleLines } from '../base/escape-control-characters.js';
import type { CommandContext, CommandSpec, Outcome, ProgramSpec } from './context/command.js';
import { exitCode } from './exit-code.js';
import { classifyFailure, type Failure } from './classify-failure.js';
import type { Interruption } from './context/interruption.js';
import type { Io } from './context/io.js';
import { createProgram, type GlobalOptions } from './help/program.js';
import { createSafeOutput, type SafeOutput } from './guard-io.js';
import { UserError } from '../base/user-error.js';
import { readStats } from '../base/node/read-stats.js';
import { platformVersion } from './context/version.js';

/** Runs the whole command as a function of its arguments and environment. Returns the exit code. */
export async function runCli(argv: readonly string[], world: Io, program: ProgramSpec): Promise<number> {
  const output = createSafeOutput();
  const words = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;
  const io = output.guard(world);
  const json = words.some(
    (word, at) =>
      ['--json', '--format=json'].includes(word) || (word === 'json' && words[at - 1] === '--format'),
  );
  const flag = words.includes('--no-color') ? false : words.includes('--color') ? true : undefined;
  const color = !json && wantsColor({ flag, env: io.env, isTTY: io.stdout.isTTY });
  const style = createStyle(color);

  let end: Outcome | undefined;
  let help = '';
  const parser = createProgram({
    program,
    style,
    color,
    width: Math.min(io.stdout.columns, 100),
    write: (text) => (help += text),
    run: async (spec, args, options, globals) => {
      if (!spec.run) return;
      const context = createContext({ io, output, program, spec, globals, json, color });
      if (context.integration !== undefined) {
        const { folderOfIntegration } = await import('./session/integration-folder.js');
        context.cwd = folderOfIntegration(context.integration, context);
      }
      end = await spec.run(context, args, options as never);
    },
  });

  try {
    await parser.parseAsync(argv, { from: 'user' });
    const signal = io.takeInterrupts();
    if (signal.aborted) return interrupted(signal, io, program);
    return exitCode(end ?? { kind: 'fine' });
  } catch (thrown) {
    const signal = io.takeInterrupts();
    if (signal.aborted && thrown === signal.reason) return interrupted(signal, io, program);
    const failure = classifyFailure(thrown, words, program.commands);
    if (failure.kind === 'usage' && ['help', 'help-displayed', 'version'].includes(failure.code)) {
      const about = failure.code === 'version' ? { platformVersion } : { help };
      world.stdout.write(json ? toLine(about) : help);
      return 0;
    }
    return report(failure, program, { io, output, json, flag });
  }
}

function interrupted(signal: AbortSignal, { stderr }: Io, { name }: ProgramSpec): number {
  const by = signal.reason as Interruption;
  if (by === 'SIGPIPE') stderr.write(`Standard output was closed, so ${name} stopped.\n`);
  return exitCode({ kind: 'interrupted', by });
}

const toLine = (value: object): string => `${jsonText({ version: 1, ...value })}\n`;

function report(
  failure: Failure,
  { name }: ProgramSpec,
  { io, output, json, flag }: { io: Io; output: SafeOutput; json: boolean; flag: boolean | undefined },
): number {
  const style = createStyle(wantsColor({ flag, env: io.env, isTTY: io.stderr.isTTY }), output.escape);
  const width = io.stderr.isTTY ? io.stderr.columns : Infinity;
  const { text, error } = failureText(failure, { name, style, width });
  if (json) io.stdout.write(toLine({ error }));
  if (!json || failure.kind === 'bug') io.stderr.write(text);
  return exitCode(failure);
}

interface RenderedFailure {
  text: string;
  error: { code: string; message: string; hint: string };
}

function failureText(
  failure: Failure,
  { name, style, width }: { name: string; style: Style; width: number },
): RenderedFailure {
  if (failure.kind === 'usage') {
    // A message is a single paragraph, so any line break in it is part of a name.
    const { code, message, hint = '' } = failure;
    const wrapped = (text: string, used = 0): string => wrapText(text, width - 2, used).join('\n  ');
    const advice = hint && `  ${wrapped(hint)}\n`;
    return {
      text: `${style.bold(style.red('error'))} ${wrapped(visible(message), 4)}\n${advice}`,
      error: { code, message, hint },
    };
  }
  const { error } = failure;
  // There is no public address yet for reporting bugs.
  const hint =
    'This is a bug in platform. Please report it, with the lines above, to the person who gave you this package.';
  const stack = visibleLines(error.stack ?? error.message).join('\n');
  return {
    text: `${style.bold(style.red('bug'))} ${name} ${platformVersion} stopped unexpectedly.\n\n${stack}\n\n${hint}\n`,
    error: { code: 'bug', message: error.message, hint },
  };
}

interface ContextParts {
  io: Io;
  output: SafeOutput;
  program: ProgramSpec;
  spec: CommandSpec;
  globals: GlobalOptions;
  json: boolean;
  color: boolean;
}

function createContext({ io, output, program, spec, globals, json, color }: ContextParts): CommandContext {
  const format = globals.json ? 'json' : (globals.format ?? 'text');
  const formats = ['text', 'json', ...(spec.formats ?? [])];
  if (!formats.includes(format)) {
    throw new UserError(
      'unknown-format',
      `${program.name} ${spec.name} does not support the format "${format}".`,
      `Choose ${formats.slice(0, -1).join(', ')} or ${formats.at(-1)}.`,
    );
  }
  const cwd = resolve(io.cwd, globals.cwd ?? '.');
  if (!readStats(cwd)?.isDirectory()) {
    throw new UserError('no-such-folder', `Folder not found: "${globals.cwd ?? cwd}".`);
  }
  const quiet = globals.quiet === true;
  return {
    io,
    program,
    format,
    json,
    quiet,
    cwd,
    ...(globals.integration !== undefined && { integration: globals.integration }),
    interactive: io.stdin.isTTY && io.stdout.isTTY && !io.env['CI'],
    style: createStyle(color && format === 'text', output.escape, output.escape),
    width: io.stdout.columns,
    wrapAt: io.stdout.isTTY ? io.stdout.columns : Infinity,
    print: (text) => io.stdout.write(text.endsWith('\n') ? text : `${text}\n`),
    note: (text) => {
      if (!quiet) io.stderr.write(text.endsWith('\n') ? text : `${text}\n`);
    },
    clear: () => io.stdout.write(output.clearScreen),
    redraw:
      io.stderr.isTTY && !io.env['CI'] && io.env['TERM'] !== 'dumb' && !quiet
        ? (line) => io.stderr.write(output.clearLine + line)
        : undefined,
    emit: (value) => io.stdout.write(toLine(value)),
  };
}
