import type { Range, Severity } from '../../diagnostics/model/diagnostic.js';
import type { Finding } from '../../diagnostics/model/rule.js';
import { installCommand } from '../../sandbox/workerd/find-workerd.js';
import type { Manifest } from '../../manifest/index.js';
import type { Submission } from '../submission/submission.js';

export interface PublishFinding extends Finding {
  /** Used instead of the check's code for problems that `platform dev` also reports. */
  code?: string;
  /** Used instead of the check's severity. */
  severity?: Severity;
  /** The absolute path of the file with the problem, unless it is the manifest. */
  file?: string;
  range?: Range;
}

/** The result of a check. Its verdict is derived from this result. */
export interface CheckOutcome {
  /** One or two sentences that explain the verdict. They do not change between runs on the same project. */
  evidence: string;
  findings?: PublishFinding[];
  /** What a person must check, because a program cannot. */
  review?: string;
  /** Set if there was nothing to check. `evidence` then explains why. */
  skipped?: true;
}

/** An item in the review checklist. */
export interface Check {
  /** The code shared by the check, the problems it finds and its documentation page: `publish/…`. */
  code: string;
  title: string;
  /**
   * The severity of the problems that the check finds. An error violates a rule in the specification or prevents the
   * integration from running.
   */
  severity: Severity;
  /** The problem in one sentence, for lists of codes. */
  summary: string;
  run(submission: Submission): CheckOutcome;
}

/** The order is the same as in the summary line. */
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

/** The outcome of checks that need the built script, if the script was not built. */
export const skippedWithoutBuild = (submission: Submission): CheckOutcome =>
  skipped(whyNotBuilt(submission) ?? 'The script was not built.');

/** The outcome of checks that need a running script, if the script is not running. */
export const skippedWithoutRun = (submission: Submission): CheckOutcome =>
  skipped(
    whyNotBuilt(submission) ??
      whyNotRun(submission) ??
      (submission.facts?.started.ok
        ? 'The default export is not an integration.'
        : 'The script does not start.'),
  );

/** Why a check is skipped that needs to know what the script passes to `createIntegration()`. */
export const withoutDefinition = ({ profile }: Manifest, what: string): string =>
  profile
    ? `The project's own runtime does not say what the script defines, so ${what}.`
    : `The script does not use createIntegration(), so ${what}.`;

/** Returns why a script was built but not run. */
export const whyNotRun = ({ manifest, nodeModules, production }: Submission): string | undefined =>
  nodeModules && !production
    ? `With nodejs_compat, the script runs only in workerd, which is not installed: ${installCommand(manifest.folder)}`
    : undefined;

function whyNotBuilt({ packed, bundle, manifest }: Submission): string | undefined {
  if (packed) return 'Scripts in packed submissions are never run.';
  if (bundle) return undefined;
  return manifest.integration.script === undefined
    ? 'The manifest has no script.'
    : 'The script does not build.';
}
