import type { ProbeHost } from './probe-host.js';

/** The error behind a failure, as the script's log or its own stack tells it. */
export interface ScriptCause {
  /** Its first line. */
  message: string;
  /** The first place in the author's sources, relative to the project's folder. */
  place?: { path: string; line: number; column: number };
}

/** A line of a stack: `at render (src/index.tsx:6:11)`. Absolute paths and packages are not the author's. */
const frame = /^\s+at (?:.*\()?((?:\.\.\/)*[^\s():/][^():]*):(\d+):(\d+)\)?$/gm;

/** From an error with its stack, in places of the author's files. */
export function readCause(text: string): ScriptCause {
  const [first = ''] = text.split('\n');
  const message = first.replace(/^\[[\w-]+\] /, '');
  const [, path, line, column] =
    [...text.matchAll(frame)].find(([, found = '']) => !/(^|\/)node_modules\/|^node:/.test(found)) ?? [];
  return {
    message,
    ...(path !== undefined && { place: { path, line: Number(line), column: Number(column) } }),
  };
}

interface Watched<Result> {
  result: Result;
  /** Hosts that the script wanted to reach meanwhile. */
  blocked: string[];
  /** The first error that it logged meanwhile. */
  cause: ScriptCause | undefined;
}

/** Has the script do something, and notes what it logs and where it wants to go. */
export async function watch<Result>(host: ProbeHost, act: () => Promise<Result>): Promise<Watched<Result>> {
  const logged = host.errors().length;
  const { length } = await host.blocked();
  const result = await act();
  // This round trip also brings in what was logged before.
  const blocked = (await host.blocked()).slice(length);
  const [error] = host.errors().slice(logged);
  return { result, blocked, cause: error === undefined ? undefined : readCause(error) };
}
