import type { OpenDecision } from '../model/open-decision.js';

/**
 * What must not happen before the author has decided: `scripts` of packages, or anything that the package
 * manager does, because its settings start programs themselves.
 */
export type Unsafe = 'scripts' | 'install';

export interface AutoRun extends Omit<OpenDecision, 'file'> {
  unsafe?: Unsafe;
}

const most = 100;

/** The beginning of a text on one line, as a part of a sentence. */
export function quoted(text: string): string {
  const line = text
    .slice(0, 2 * most)
    .trim()
    .replaceAll(/\s+/g, ' ');
  return line.length > most ? `"${line.slice(0, most)}…"` : `"${line}"`;
}
