import { breakCiCommands } from '../base/text/ci-commands.js';
import { visible } from '../base/escape-control-characters.js';
import type { Io, Output, Question } from './context/io.js';

/** All terminal output passes through here. Control characters in external input are escaped. */
export type SafeOutput = ReturnType<typeof createSafeOutput>;

export function createSafeOutput(random = Math.random) {
  /**
   * Marks the styling that the command itself adds. Only this styling may contain ESC. External input cannot contain the
   * marker, because the marker cannot be guessed.
   */
  const escape = `\u001B${random().toString(36).slice(2)}`;
  const safe = (text: string): string => text.split(escape).map(showControls).join('\u001B');
  const guardOutput = (output: Output, env: Io['env']): Output => ({
    // Only the command itself can write ESC, so `ESC::` is its own command for GitHub.
    write: (text) => output.write(breakCiCommands(safe(text), env).replaceAll('\u001B::', '::')),
    get isTTY() {
      return output.isTTY;
    },
    get columns() {
      return output.columns;
    },
  });
  return {
    escape,
    clearScreen: `${escape}[2J${escape}[3J${escape}[H`,
    clearLine: `${escape}[G${escape}[K`,
    // The object is not copied, because some of its properties, such as the working folder, are getters.
    guard: (io: Io) =>
      Object.create(io, {
        stdout: { value: guardOutput(io.stdout, io.env) },
        stderr: { value: guardOutput(io.stderr, io.env) },
        ask: { value: (questions: Question[]) => io.ask(questions.map(guardQuestion)) },
      }) as Io,
  };
}

/** Keeps line breaks and tabs. */
function showControls(text: string): string {
  if (/^[\n\t\x20-\x7E]*$/.test(text)) return text;
  return text
    .replaceAll('\r\n', '\n')
    .split(/([\n\t])/)
    .map((part) => (/^[\n\t]$/.test(part) ? part : visible(part)))
    .join('');
}

function guardQuestion(question: Question): Question {
  const { message, initial, choices, validate } = question;
  return {
    ...question,
    message: showControls(message),
    ...(typeof initial === 'string' && { initial: showControls(initial) }),
    ...(choices && {
      choices: choices.map((choice) => ({
        ...choice,
        title: showControls(choice.title),
        ...(choice.description !== undefined && { description: showControls(choice.description) }),
      })),
    }),
    ...(validate && {
      validate: (value) => {
        const verdict = validate(value);
        return verdict === true || showControls(verdict);
      },
    }),
  };
}
