import type { Severity } from './diagnostic.js';

/** The keys and indexes that point to a value, starting from the root of the document. */
export type Path = readonly (string | number)[];

/** A problem as reported by a rule. The runner adds the file, position and severity. */
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

/** A problem code that a rule, a parser or the bundler reports. */
export interface RuleInfo {
  code: string;
  severity: Severity;
  /** A description in one sentence. */
  summary: string;
  /** The code's page in `docs/`, as Markdown. */
  page?: string;
}

/** Lists the codes of one severity, each with its summary. */
export const listRules = (severity: Severity, summaries: Readonly<Record<string, string>>): RuleInfo[] =>
  Object.entries(summaries).map(([code, summary]) => ({ code, severity, summary }));
