import type { Severity } from './diagnostic.js';

/** Keys and indexes from the root of the document down. */
export type Path = readonly (string | number)[];

/** What a rule yields: no file, no position, no severity. The runner adds them. */
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
  /** Its page in `docs/`, as Markdown. */
  page?: string;
}
