import type { OpenDecision } from '../model/open-decision.js';

/**
 * What must not run until the author has decided: packages' `scripts`, or the package manager itself, because its settings
 * start programs.
 */
export type Unsafe = 'scripts' | 'install';

export interface AutoRun extends Omit<OpenDecision, 'file'> {
  unsafe?: Unsafe;
}

const most = 100;

/** Quotes the beginning of a string on a single line, for use in a sentence. */
export function quoted(text: string): string {
  const line = text
    .slice(0, 2 * most)
    .trim()
    .replaceAll(/\s+/g, ' ');
  return line.length > most ? `"${line.slice(0, most)}…"` : `"${line}"`;
}
