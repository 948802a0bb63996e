import type { Severity } from './diagnostic.js';

/** Keys and indexes, from the document's root downwards. */
export type Path = readonly (string | number)[];

/** A problem as a rule reports it, without the file, position and severity, which the runner adds. */
export interface Finding {
  message: string;
  help?: string;
  path?: Path;
  at?: 'key' | 'value';
}

export interface Rule<Context> {
  code: string;
  severity: Severity;
  check(context: Context): Iterable<Finding>;
}

/** A problem code, reported by a rule, a parser or the bundler. */
export interface RuleInfo {
  code: string;
  severity: Severity;
  /** A description in one sentence. */
  summary: string;
  /** The code's page in `docs/`, as Markdown. */
  page?: string;
}
