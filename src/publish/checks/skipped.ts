import type { CheckOutcome } from '../check.js';
import type { Submission } from '../submission/submission.js';

export const skipped = (reason: string): CheckOutcome => ({ evidence: reason, skipped: true });

/** For checks that need a built script. */
export const skippedWithoutBuild = (submission: Submission): CheckOutcome =>
  skipped(whyNotBuilt(submission) ?? 'The script was not built.');

/** For checks that need a running script. */
export const skippedWithoutRun = (submission: Submission): CheckOutcome =>
  skipped(
    whyNotBuilt(submission) ??
      (submission.facts?.started.ok
        ? 'The default export is not an integration.'
        : 'The script does not start.'),
  );

function whyNotBuilt({ packed, bundle, manifest }: Submission): string | undefined {
  if (packed) return 'A packed submission is only read, so its script was not run.';
  if (bundle) return undefined;
  return manifest.integration.script === undefined ? 'There is no script.' : 'The script does not build.';
}
