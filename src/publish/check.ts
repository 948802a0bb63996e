import type { Range, Severity } from '../diagnostics/diagnostic.js';
import type { Finding } from '../diagnostics/rule.js';
import { installCommand } from '../sandbox/workerd/find-workerd.js';
import type { Submission } from './submission/submission.js';

export interface PublishFinding extends Finding {
  /** Overrides the code of the check, for what `platform dev` reports too. */
  code?: string;
  /** Overrides the severity of the check. */
  severity?: Severity;
  /** Absolute path of the file with the problem, when that is not the manifest. */
  file?: string;
  range?: Range;
}

/** What a check found. Its verdict follows from this. */
export interface CheckOutcome {
  /** A sentence or two that the verdict rests on; the same for the same project. */
  evidence: string;
  findings?: PublishFinding[];
  /** What a person has to look at, because no check can decide it. */
  review?: string;
  /** Nothing was compared; `evidence` says why. */
  skipped?: true;
}

/** One thing that a reviewer looks at. */
export interface Check {
  /** `publish/…`: the code of the check, of its findings and of its page. */
  code: string;
  title: string;
  /** Of its findings. An error breaks a rule of the specification, or keeps the integration from running. */
  severity: Severity;
  /** One sentence for lists of rules. */
  summary: string;
  run(submission: Submission): CheckOutcome;
}

/** In the order of the summary line. */
export const verdicts = ['pass', 'warn', 'fail', 'review', 'skipped'] as const;

export type Verdict = (typeof verdicts)[number];

export interface CheckResult {
  id: string;
  title: string;
  verdict: Verdict;
  evidence: string;
  help?: string;
}

export const skipped = (reason: string): CheckOutcome => ({ evidence: reason, skipped: true });

/** For checks that need a built script. */
export const skippedWithoutBuild = (submission: Submission): CheckOutcome =>
  skipped(whyNotBuilt(submission) ?? 'The script was not built.');

/** For checks that need a running script. */
export const skippedWithoutRun = (submission: Submission): CheckOutcome =>
  skipped(
    whyNotBuilt(submission) ??
      whyNotRun(submission) ??
      (submission.facts?.started.ok
        ? 'The default export is not an integration.'
        : 'The script does not start.'),
  );

/** The reason why there is a build that was not run. */
export const whyNotRun = ({ nodeModules, production }: Submission): string | undefined =>
  nodeModules && !production
    ? `With nodejs_compat the script runs only in workerd, which is not installed: ${installCommand}`
    : undefined;

function whyNotBuilt({ packed, bundle, manifest }: Submission): string | undefined {
  if (packed) return 'A packed submission is only read, so its script was not run.';
  if (bundle) return undefined;
  return manifest.integration.script === undefined ? 'There is no script.' : 'The script does not build.';
}
