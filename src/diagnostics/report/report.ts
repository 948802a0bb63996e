import type { Diagnostic, Range, Severity, Source } from '../model/diagnostic.js';
import type { RuleInfo } from '../model/rule.js';
import type { Style } from '../../terminal/style.js';
import { sortDiagnostics } from './sort-diagnostics.js';

export interface Summary {
  errors: number;
  warnings: number;
  infos: number;
}

/** The result of fixing a file. */
export interface FixedFile {
  file: string;
  /** The number of fixed problems. */
  count: number;
  /** A unified diff, with secrets masked. */
  diff: string;
  /** The problems, in the order they were fixed. */
  problems: readonly FixedProblem[];
}

export interface FixedProblem {
  code: string;
  message: string;
  /** The range of the replaced text in the file before the fix. */
  range: Range;
  /** The text that was replaced, unless it may contain a secret. It is empty if the fix only adds text. */
  before?: string;
  /** The new text. It is empty if the fix only removes text. */
  after?: string;
}

/** The result of checking some files, as passed to renderers. */
export interface Report {
  ok: boolean;
  /** Absolute paths of all checked files, including those without problems. */
  files: readonly string[];
  summary: Summary;
  diagnostics: readonly Diagnostic[];
  /** Problems ignored by comments, each with its reason. */
  ignored: readonly Diagnostic[];
  /** Whether the run failed only because there were too many warnings. */
  tooManyWarnings?: boolean;
  /** The results of `--fix`. */
  fixed?: readonly FixedFile[];
}

/** How to show a report. */
export interface View {
  /** Paths are shown relative to this folder. */
  cwd: string;
  width: number;
  style: Style;
  source(file: string): Source | undefined;
  /** The rules, for the formats that list them. */
  rules: readonly RuleInfo[];
  /** The version of this package. */
  version: string;
}

export type Renderer = (report: Report, view: View) => string;

export interface Threshold {
  /** If there are more warnings than this, the run fails. */
  maxWarnings?: number;
}

export function createReport(
  files: readonly string[],
  findings: Iterable<Diagnostic>,
  { maxWarnings = Infinity }: Threshold = {},
): Report {
  const sorted = sortDiagnostics(findings);
  const diagnostics = sorted.filter((one) => one.ignored === undefined);
  const ignored = sorted.filter((one) => one.ignored !== undefined);
  const count = (severity: Severity): number => diagnostics.filter((d) => d.severity === severity).length;
  const summary = { errors: count('error'), warnings: count('warning'), infos: count('info') };
  const tooManyWarnings = summary.errors === 0 && summary.warnings > maxWarnings;
  const ok = summary.errors === 0 && !tooManyWarnings;
  return { ok, files, summary, diagnostics, ignored, ...(tooManyWarnings && { tooManyWarnings }) };
}
