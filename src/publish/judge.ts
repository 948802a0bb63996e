import { applySeverities, createReport, type Diagnostic, type Report } from '../diagnostics/index.js';
import { createLocator } from '../manifest/locate-path.js';
import type { Check, CheckResult, PublishFinding, Seen } from './check.js';
import { checks } from './checks/index.js';
import { manifestCheck } from './manifest-check.js';
import type { Submission } from './submission.js';

export interface Judgement {
  report: Report;
  checks: CheckResult[];
}

/** Every check with its verdict, and every finding with its place. */
export function judge(
  file: string,
  ofManifest: readonly Diagnostic[],
  submission: Submission | undefined,
  { strict }: { strict: boolean },
): Judgement {
  const severities = { rules: new Map<string, never>(), strict };
  const manifest = applySeverities(ofManifest, severities);
  const valid = judgeManifest(manifest);
  if (!submission) return { report: createReport([file], manifest), checks: [valid] };

  const locate = createLocator(submission.manifest.text);
  const place = (code: string, { path = [], at, ...finding }: PublishFinding, check: Check): Diagnostic => ({
    code,
    severity: check.ofListing && submission.target !== 'marketplace' ? 'warning' : check.severity,
    file,
    ...(finding.file === undefined && { range: locate(path, at) }),
    ...finding,
  });
  const results: CheckResult[] = [valid];
  const diagnostics = [...manifest, ...applySeverities(buildingOf(submission), severities)];
  for (const check of checks) {
    const seen = check.look(submission);
    const found = (seen.findings ?? []).map((finding) => place(check.code, finding, check));
    const own = applySeverities(found, severities);
    diagnostics.push(...own);
    results.push(resultOf(check, seen, own));
  }
  return { report: createReport([file], diagnostics), checks: results };
}

/** One of the checks tells of these in its own words. */
const buildingOf = ({ building }: Submission): Diagnostic[] =>
  building.filter(({ code }) => code !== 'bundle/node-import');

function judgeManifest(diagnostics: readonly Diagnostic[]): CheckResult {
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  const about = { id: manifestCheck.code, title: 'Manifest' };
  if (errors === 0) return { ...about, verdict: 'pass', evidence: 'It fits its schema and its rules.' };
  const evidence = errors === 1 ? 'It has 1 error.' : `It has ${errors} errors.`;
  return { ...about, verdict: 'fail', evidence, help: 'Mend what "platform validate" says.' };
}

function resultOf(
  { code, title }: Check,
  { evidence, person }: Seen,
  found: readonly Diagnostic[],
): CheckResult {
  const errors = found.filter(({ severity }) => severity === 'error');
  const verdict = errors.length > 0 ? 'fail' : person === undefined ? 'pass' : 'needs-person';
  const help = errors.length > 0 ? errors.map((error) => error.help).find(Boolean) : person;
  return { id: code, title, verdict, evidence, ...(help !== undefined && { help }) };
}
