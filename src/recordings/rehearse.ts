import { checkConfiguration } from '../emulator/index.js';
import { readThrownError, type ThrownError } from '../base/text/thrown-error.js';
import type { Integration } from '../protocol/integration.js';
import type { ReplayOutcome } from '../sandbox/index.js';
import { firstDifferent, type ReplayDifference } from './compare-outcome.js';
import type { RecordedCall, RecordedInstallation } from './file/recording.js';
import { replayCalls, type ReplayOptions } from './replay-calls.js';

/** Sorted from worst to best. */
export const rehearsalVerdicts = ['broken', 'pending', 'differs', 'same'] as const;

/** What happened when a call from an earlier version was run with the new version. */
export interface RehearsedCall {
  name: string;
  /**
   * `pending`: the new manifest does not accept the stored values, so the installation would wait until a
   * user edits the configuration.
   */
  verdict: (typeof rehearsalVerdicts)[number];
  /** The reason why the call is broken or pending. */
  why?: string;
  /** The line where the call fails or sends a different request, if it is known. */
  at?: ThrownError['position'];
  differences: ReplayDifference[];
}

interface RehearsalOptions extends Pick<
  ReplayOptions,
  'recording' | 'integration' | 'script' | 'run' | 'signal'
> {
  /** The names of the secrets that the new manifest declares. */
  secrets: readonly string[];
}

/** Runs the calls with the new script, in environments that are built from the stored values according to the new manifest. */
export async function rehearse({
  recording,
  secrets,
  ...options
}: RehearsalOptions): Promise<RehearsedCall[]> {
  const values = secrets.map((name) => [name, recording.secrets[name] ?? `example-${name}`] as const);
  const results = await replayCalls({
    ...options,
    recording: { ...recording, secrets: Object.fromEntries(values) },
  });
  return results.map(({ call, outcome, differences }) => ({
    name: call.name,
    differences,
    ...judge(call, outcome, differences, options.integration),
  }));
}

function judge(
  call: RecordedCall,
  outcome: ReplayOutcome,
  differences: readonly ReplayDifference[],
  integration: Integration,
): Pick<RehearsedCall, 'verdict' | 'why' | 'at'> {
  const unset = pendingValue(call.stored, integration);
  if (unset !== undefined) return { verdict: 'pending', why: unset };
  if (differences.length === 0) return { verdict: 'same' };
  const error = outcome.logs.findLast(({ level }) => level === 'error')?.text;
  const at =
    (error === undefined ? undefined : readThrownError(error).position) ??
    readThrownError(firstDifferent(outcome.outbound)?.stack ?? '').position;
  const failure = failureOf(call, outcome);
  const why = failure && (error === undefined ? failure : `${failure}: ${readThrownError(error).message}`);
  return {
    verdict: why === undefined ? 'differs' : 'broken',
    ...(why !== undefined && { why }),
    ...(at && { at }),
  };
}

/** Describes a failure that is not in the recording. */
function failureOf({ response, rejected }: RecordedCall, now: ReplayOutcome): string | undefined {
  if (response && !now.response) return `no response (${now.failure ?? 'unknown reason'})`;
  const [before, after] = [response?.status ?? 0, now.response?.status ?? 0];
  if (before < 400 && after >= 400) return `status ${after} instead of ${before}`;
  const added = now.rejected.length > (rejected?.length ?? 0);
  return added ? `a promise passed to waitUntil was rejected (${now.rejected.at(-1) ?? ''})` : undefined;
}

/** If the installation was active, returns the first stored value that the manifest does not accept. */
function pendingValue(stored: RecordedInstallation, { configurations }: Integration): string | undefined {
  const parts = [
    ['account', stored.installation],
    ['site', stored.siteInstallation],
    ['space', stored.spaceInstallation],
  ] as const;
  for (const [section, part] of parts) {
    if (part?.status !== 'active') continue;
    const [problem] = checkConfiguration(configurations[section], part.configuration);
    if (problem) return `${problem.property} of configurations.${section}: ${problem.message}`;
  }
  return undefined;
}
