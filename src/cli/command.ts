import type { Style } from '../terminal/style.js';
import type { Interruption } from './interruption.js';
import type { Io } from './io.js';

/** How a command ended. `exitCode` turns it into a number. */
export type Outcome =
  | { kind: 'fine' }
  | { kind: 'findings' }
  | { kind: 'child'; code: number }
  | { kind: 'interrupted'; by: Interruption };

export const fine: Outcome = { kind: 'fine' };

export interface CommandContext {
  io: Io;
  /** Every command there is, for those that speak of the others. */
  commands: readonly CommandSpec[];
  cwd: string;
  format: string;
  json: boolean;
  quiet: boolean;
  /** No prompt without a terminal on both sides, nor in CI. */
  interactive: boolean;
  style: Style;
  width: number;
  /** The result, to stdout. */
  print(text: string): void;
  /** Everything else, to stderr; silent with `--quiet`. */
  note(text: string): void;
  /** Empties the terminal. */
  clear(): void;
  /** Replaces the last line of a terminal's stderr; absent where there is none, in CI and with `--quiet`. */
  redraw: ((line: string) => void) | undefined;
  /** One JSON document (or one line of NDJSON) to stdout, with the version of the format. */
  emit(value: object): void;
}

export interface OptionSpec {
  flags: string;
  description: string;
  choices?: readonly string[];
  /** May be given several times. */
  repeat?: boolean;
  default?: string | number | boolean;
  /** Throws `InvalidValue` with what would be right. */
  parse?(text: string): unknown;
}

export interface CommandSpec<Options = never> {
  name: string;
  /** Its heading in the list of commands. */
  group?: string;
  summary: string;
  description?: string;
  arguments?: readonly { syntax: string; description: string }[];
  options?: readonly OptionSpec[];
  /** Beside `text` and `json`. */
  formats?: readonly string[];
  examples: readonly { command: string; does: string }[];
  subcommands?: readonly CommandSpec[];
  run?(context: CommandContext, args: string[], options: Options): Promise<Outcome>;
}

/** Keeps the types of the options beside their declaration. */
export const defineCommand = <Options>(spec: CommandSpec<Options>): CommandSpec => spec;

export class InvalidValue extends Error {}

export function parseWholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidValue('It takes a whole number, such as 3.');
  return Number(text);
}

export function parseCount(text: string): number {
  if (!/^\d{1,15}$/.test(text) || Number(text) === 0)
    throw new InvalidValue('It takes a whole number from 1, such as 3.');
  return Number(text);
}

export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new InvalidValue('It takes a port from 0 to 65535.');
  return port;
}
