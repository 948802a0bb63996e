import type { Severity } from './diagnostic.js';

/** Keys and indexes, from the root of the document downwards. */
export type Path = readonly (string | number)[];

/** A problem as a rule reports it: without file, position and severity, which the runner adds. */
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

/** A problem code, whether a rule, a parser or the bundler reports it. */
export interface RuleInfo {
  code: string;
  severity: Severity;
  /** One sentence. */
  summary: string;
  /** The text of its page in `docs/`, as Markdown. */
  page?: string;
}
