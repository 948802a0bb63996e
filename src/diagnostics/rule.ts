import type { Diagnostic, Range, Severity } from './diagnostic.js';

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

/** What is known of a code, wherever it is found: a rule, a parser, a bundler. */
export interface RuleInfo {
  code: string;
  severity: Severity;
  /** One sentence. */
  summary: string;
  /** Its page in `docs/`, as Markdown. */
  page?: string;
}

/** Where a finding is. The parser of a document gives one; it falls back to the nearest parent. */
export interface Located {
  file: string;
  locate(path: Path, at: 'key' | 'value'): Range | undefined;
}

export function* runRules<Context>(
  rules: readonly Rule<Context>[],
  context: Context,
  source: Located,
): Generator<Diagnostic> {
  for (const { code, severity, check } of rules) {
    for (const { message, help, path = [], at = 'value' } of check(context)) {
      const range = source.locate(path, at);
      yield { code, severity, message, ...(help && { help }), file: source.file, ...(range && { range }) };
    }
  }
}
