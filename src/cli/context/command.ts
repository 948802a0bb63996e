import type { Style } from '../../terminal/style.js';
import type { Interruption } from './interruption.js';
import type { Io } from './io.js';

/** How a command ended. `exitCode` converts it to a number. */
export type Outcome =
  | { kind: 'fine' }
  | { kind: 'findings' }
  | { kind: 'child'; code: number }
  | { kind: 'interrupted'; by: Interruption };

export const fine: Outcome = { kind: 'fine' };

export interface CommandContext {
  io: Io;
  program: ProgramSpec;
  cwd: string;
  /** The integration that was named. The command runs in its folder. */
  integration?: string;
  format: string;
  json: boolean;
  quiet: boolean;
  /** Prompts are shown only if stdin and stdout are terminals, and never in CI. */
  interactive: boolean;
  style: Style;
  width: number;
  /**
   * The width that sentences are wrapped to. Infinite if stdout is not a terminal, so that tools such as grep can find
   * whole sentences.
   */
  wrapAt: number;
  /** Prints the result to stdout. */
  print(text: string): void;
  /** Prints everything except the result to stderr. Prints nothing with `--quiet`. */
  note(text: string): void;
  clear(): void;
  /** Replaces the last line on stderr. Undefined if there is no terminal, in CI, and with `--quiet`. */
  redraw: ((line: string) => void) | undefined;
  /** Prints one JSON document, or one line of NDJSON, to stdout. It includes the version of the format. */
  emit(value: object): void;
}

/** The details of each option by its flags, or only its description. */
export type OptionSpecs = Readonly<Record<string, string | Omit<OptionSpec, 'flags'>>>;

export interface OptionSpec {
  flags: string;
  description: string;
  choices?: readonly string[];
  /** Whether the option can be repeated. */
  repeat?: boolean;
  default?: string | number | boolean;
  /** Throws `InvalidValue` with a description of the valid values. */
  parse?(text: string): unknown;
}

export interface CommandSpec<Options = never> {
  name: string;
  /** The heading that the command is listed under. */
  group?: string;
  summary: string;
  description?: string;
  /** The description of each argument by its syntax. */
  arguments?: Readonly<Record<string, string>>;
  options?: OptionSpecs;
  /** Formats available in addition to `text` and `json`. */
  formats?: readonly string[];
  /** What each command does. */
  examples: Readonly<Record<string, string>>;
  subcommands?: readonly CommandSpec[];
  run?(context: CommandContext, args: string[], options: Options): Promise<Outcome>;
}

export interface ProgramSpec {
  name: 'platform' | 'platform-webhooks';
  description: string;
  examples: CommandSpec['examples'];
  /** In the order shown by `--help`. */
  commands: readonly CommandSpec[];
}

export const inGroups = (groups: Record<string, readonly CommandSpec[]>): CommandSpec[] =>
  Object.entries(groups).flatMap(([group, specs]) => specs.map((spec) => ({ ...spec, group })));

export const listOptions = (specs: OptionSpecs = {}): OptionSpec[] =>
  Object.entries(specs).map(([flags, spec]) => ({
    flags,
    ...(typeof spec === 'string' ? { description: spec } : spec),
  }));

export const defineCommand = <Options>(spec: CommandSpec<Options>): CommandSpec => spec;

export class InvalidValue extends Error {}

export function parseWholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidValue('It must be a whole number, such as 3.');
  return Number(text);
}

export function parseCount(text: string): number {
  if (!/^\d{1,15}$/.test(text) || Number(text) === 0)
    throw new InvalidValue('It must be a whole number of at least 1, such as 3.');
  return Number(text);
}

export function parseZonedTime(text: string): number {
  const isZoned = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:\d\d)$/.test(text);
  const time = isZoned ? Date.parse(text) : NaN;
  if (Number.isNaN(time))
    throw new InvalidValue(
      'It must be a date, a time and a zone, such as 2026-12-24T09:00+01:00 or 2026-12-24T08:00Z.',
    );
  return time;
}

export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new InvalidValue('It must be a port from 0 to 65535.');
  return port;
}
