import {
  applySeverities,
  count,
  createReport,
  type Diagnostic,
  type Report,
  type RuleInfo,
  type SeverityChoices,
} from '../diagnostics/index.js';
import { createIgnores, type Ignores } from '../diagnostics/apply-ignores.js';
import { findManifestIgnores } from '../manifest/index.js';
import { createLocator } from '../manifest/yaml/locate-problem.js';
import {
  skipped,
  type Check,
  type CheckOutcome,
  type CheckResult,
  type PublishFinding,
  type Verdict,
} from './checks/check.js';
import { checks, listingRules } from './checks/index.js';
import { rehearsal } from './checks/rehearsal.js';
import { outsideSources } from './checks/outside-sources.js';
import type { Submission } from './submission/submission.js';

export interface CheckedSubmission {
  report: Report;
  checks: CheckResult[];
}

export interface Strictness {
  /** Whether warnings also count as failures. */
  strict: boolean;
  /** The severities that the user has chosen, keyed by code. */
  rules?: SeverityChoices['rules'];
}

export function runChecks(
  file: string,
  ofManifest: readonly Diagnostic[],
  submission: Submission | undefined,
  { strict, rules = new Map() }: Strictness,
): CheckedSubmission {
  const choose = (found: readonly Diagnostic[]): Diagnostic[] =>
    applySeverities(found, { rules, strict: false });
  // `platform validate` also reports these problems. They do not prevent publishing.
  const manifest = choose(ofManifest.filter(({ severity }) => severity !== 'info'));
  const ignores = ignoresOf(file, submission);
  const results: CheckResult[] = [];
  const diagnostics: Diagnostic[] = [];
  const toDiagnostic = submission && diagnosticsOf(file, submission);
  for (const check of checks) {
    if (check === rehearsal && !submission?.rehearsed && !submission?.unusedRecordings) continue;
    const foreign = listingRules.has(check) && submission?.manifest.profile;
    const outcome = !submission
      ? skipped('The manifest has errors.')
      : foreign
        ? skipped(`${foreign.name} has its own rules for what it publishes.`)
        : check.run(submission);
    const reported = toDiagnostic
      ? choose((outcome.findings ?? []).map((finding) => toDiagnostic(check, finding)))
      : [];
    const found = ignores.apply(reported);
    diagnostics.push(...found);
    const silenced = found.length === 0 && (outcome.findings ?? []).length > 0;
    results.push(resultOf(check, silenced ? skipped('This check is turned off.') : outcome, found));
  }
  const unused = choose(ignores.problems());
  diagnostics.push(...unused);
  const others = manifest.filter((one) => !isRepeated(one, diagnostics));
  const report = createReport([file], [...others, ...diagnostics], strict ? { maxWarnings: 0 } : {});
  return {
    report,
    checks: [resultOfManifest(others), ...results, ...resultOfIgnores(unused, report.ignored.length)],
  };
}

/** Returns the ignore comments for checks, from both the manifest and the author's sources. */
function ignoresOf(file: string, submission: Submission | undefined): Ignores {
  return createIgnores({
    comments: new Map([
      ...(submission ? [[file, findManifestIgnores(submission.manifest.text)] as const] : []),
      ...(submission?.comments ?? []),
    ]),
    codes: checks.map(({ code }) => code),
    isLocked: (code, severity) => locked.has(code) || (code === outsideSources.code && severity === 'error'),
  });
}

/**
 * Problems that cannot be ignored: violations of the platform's rules, and errors that prevent the integration from running.
 */
const locked = new Set([
  'publish/visibility',
  'publish/internal-scope',
  'publish/script',
  'publish/start',
  'publish/default-export',
  'publish/leaked-secret',
]);

/** Returns the row for ignore comments, if there are any. */
function resultOfIgnores(problems: readonly Diagnostic[], ignored: number): CheckResult[] {
  if (ignored + problems.length === 0) return [];
  const evidence = `${count(ignored, 'finding')} ignored.`;
  return [resultOf({ ...ignoreCheck, title: 'Ignored problems' }, { evidence }, problems)];
}

/** Problems with images and scopes that both `validate` and a check can find. */
const checkedHere = new Set([
  'manifest/icon-not-square',
  'manifest/image-ending',
  'manifest/internal-scope',
  'manifest/placeholder-text',
  'manifest/preview-size',
]);

const isRepeated = (one: Diagnostic, found: readonly Diagnostic[]): boolean =>
  checkedHere.has(one.code) &&
  found.some(({ file, range }) => file === one.file && range?.start.line === one.range?.start.line);

function diagnosticsOf(file: string, { manifest }: Submission) {
  const locate = createLocator(manifest.text);
  return ({ code, severity }: Check, { path = [], at, ...finding }: PublishFinding): Diagnostic => ({
    code,
    severity,
    file,
    ...(finding.file === undefined && { range: locate(path, at) }),
    ...finding,
  });
}

function resultOfManifest(diagnostics: readonly Diagnostic[]): CheckResult {
  const about = { id: manifestCheck.code, title: 'Manifest' };
  const { errors, warnings } = createReport([], diagnostics).summary;
  if (errors + warnings === 0) return { ...about, verdict: 'pass', evidence: 'The manifest is valid.' };
  const counts = [
    ...(errors > 0 ? [count(errors, 'error')] : []),
    ...(warnings > 0 ? [count(warnings, 'warning')] : []),
  ];
  return {
    ...about,
    verdict: errors > 0 ? 'fail' : 'warn',
    evidence: `The manifest has ${counts.join(' and ')}.`,
    help: 'Fix the problems that "platform validate" reports.',
  };
}

function resultOf(
  { code, title }: Pick<Check, 'code' | 'title'>,
  outcome: CheckOutcome,
  found: readonly Diagnostic[],
): CheckResult {
  const verdict = verdictOf(outcome, found);
  const reported = found.filter(({ severity }) => (severity === 'error') === (verdict === 'fail'));
  const help = found.length > 0 ? reported.map((one) => one.help).find(Boolean) : outcome.review;
  return { id: code, title, verdict, evidence: outcome.evidence, ...(help !== undefined && { help }) };
}

/** Ignored problems do not affect the verdict. A check that needs a review or had nothing to compare has not passed. */
function verdictOf(outcome: CheckOutcome, found: readonly Diagnostic[]): Verdict {
  const counted = found.filter(({ ignored }) => ignored === undefined);
  if (counted.some(({ severity }) => severity === 'error')) return 'fail';
  if (counted.some(({ severity }) => severity === 'warning')) return 'warn';
  if (outcome.review !== undefined) return 'review';
  return outcome.skipped ? 'skipped' : 'pass';
}

/** The last row of the checklist. It covers the comments that ignore problems. */
export const ignoreCheck: RuleInfo = {
  code: 'publish/unused-ignore',
  severity: 'warning',
  summary: 'An ignore comment refers to a problem that does not exist or cannot be ignored.',
};

export const ignoreWithoutReason: RuleInfo = {
  code: 'publish/ignore-without-reason',
  severity: 'warning',
  summary: 'An ignore comment does not give a reason.',
};

/** The first row of the checklist. It summarizes the problems that `validate` finds. */
export const manifestCheck: RuleInfo = {
  code: 'publish/manifest',
  severity: 'error',
  summary: 'The manifest has problems.',
};
