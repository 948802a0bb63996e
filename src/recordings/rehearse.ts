import { checkConfiguration } from '../emulator/index.js';
import { readThrownError, type ThrownError } from '../base/text/thrown-error.js';
import type { ConfigurationSection, Integration } from '../protocol/integration.js';
import type { ReplayOutcome } from '../sandbox/index.js';
import { firstDifferent, type ReplayDifference } from './compare-outcome.js';
import type { RecordedCall, RecordedInstallation } from './file/recording.js';
import { replayCalls, type ReplayOptions } from './replay-calls.js';

/** Sorted from worst to best. */
export const rehearsalVerdicts = ['broken', 'pending', 'differs', 'same'] as const;

/** What happened when a call recorded with an earlier version was run with the new one. */
export interface RehearsedCall {
  name: string;
  /**
   * `pending`: the new manifest rejects stored values that the earlier version accepted, so the installation would wait
   * until a user edits the configuration.
   */
  verdict: (typeof rehearsalVerdicts)[number];
  /** Why the call is broken or pending. */
  why?: string;
  /** The line where the call fails or sends a different request, if known. */
  at?: ThrownError['position'];
  differences: ReplayDifference[];
  /** For a pending call: how it behaved with the stored values, plus samples for the unusable ones. */
  whenSet?: Behavior;
  /** The values made up for properties without a usable one, such as `channel: "value"`. */
  samples: string[];
}

interface Behavior {
  verdict: 'broken' | 'differs' | 'same';
  why?: string;
  at?: ThrownError['position'];
}

interface RehearsalOptions extends Pick<
  ReplayOptions,
  'recording' | 'integration' | 'script' | 'run' | 'signal'
> {
  /** The earlier version of the integration, if known. */
  former?: Integration;
  /** The names of the secrets that the new manifest declares. */
  secrets: readonly string[];
  /** Returns plausible values for a section's properties. */
  sampleValues: (section: ConfigurationSection) => Record<string, unknown>;
}

/** Runs the calls with the new script, in environments built from the stored values according to the new manifest. */
export async function rehearse({
  recording,
  former,
  secrets,
  sampleValues,
  ...options
}: RehearsalOptions): Promise<RehearsedCall[]> {
  const values = secrets.map((name) => [name, recording.secrets[name] ?? `example-${name}`] as const);
  const findProblems = newProblems(options.integration, former);
  const completed = recording.calls.map(({ stored }) =>
    completeValues(stored, { ...options, findProblems, sampleValues }),
  );
  const results = await replayCalls({
    ...options,
    recording: {
      ...recording,
      secrets: Object.fromEntries(values),
      calls: recording.calls.map((call, index) => ({
        ...call,
        stored: completed[index]?.stored ?? call.stored,
      })),
    },
  });
  return results.map(({ index, call, outcome, differences }) => {
    const behavior = judge(call, outcome, differences);
    const pending = recording.calls[index] && pendingValue(recording.calls[index].stored, findProblems);
    const samples = completed[index]?.samples ?? [];
    const common = { name: call.name, differences, samples };
    return pending === undefined
      ? { ...common, ...behavior }
      : { ...common, verdict: 'pending', why: pending, whenSet: behavior };
  });
}

function judge(
  call: RecordedCall,
  outcome: ReplayOutcome,
  differences: readonly ReplayDifference[],
): Behavior {
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

type SectionName = 'account' | 'site' | 'space';
type FindProblems = (
  section: SectionName,
  values: Record<string, unknown>,
) => ReturnType<typeof checkConfiguration>;

/**
 * Returns a function that finds the values that only the new version rejects. An installation may have been active without a
 * value that the earlier version required, for example because a test created it. Such an installation can stay active.
 */
const newProblems =
  ({ configurations }: Integration, former: Integration | undefined): FindProblems =>
  (section, values) => {
    const known = checkConfiguration(former?.configurations[section], values);
    return checkConfiguration(configurations[section], values).filter(
      ({ property }) => !known.some((problem) => problem.property === property),
    );
  };

/**
 * Fills in properties without a value of the right type, so that a pending call still shows how the new script behaves. A
 * value that an `enum` no longer allows is kept, because a different one could change the response by itself.
 */
function completeValues(
  stored: RecordedInstallation,
  {
    integration: { configurations },
    findProblems,
    sampleValues,
  }: Pick<RehearsalOptions, 'integration' | 'sampleValues'> & { findProblems: FindProblems },
): { stored: RecordedInstallation; samples: string[] } {
  const samples: string[] = [];
  const complete = <Part extends { status: string; configuration: Record<string, unknown> }>(
    part: Part,
    name: SectionName,
  ): Part => {
    const section = configurations[name];
    if (!section || part.status !== 'active') return part;
    const values = sampleValues(section);
    const made = findProblems(name, part.configuration)
      .map(({ property }) => property)
      .filter((property) => typeof part.configuration[property] !== section.properties[property]?.type);
    samples.push(...made.map((property) => `${property}: ${JSON.stringify(values[property])}`));
    const added = Object.fromEntries(made.map((property) => [property, values[property]]));
    return { ...part, configuration: { ...part.configuration, ...added } };
  };
  const { installation, siteInstallation, spaceInstallation } = stored;
  return {
    stored: {
      ...(installation && { installation: complete(installation, 'account') }),
      ...(siteInstallation && { siteInstallation: complete(siteInstallation, 'site') }),
      ...(spaceInstallation && { spaceInstallation: complete(spaceInstallation, 'space') }),
    },
    samples,
  };
}

/** If the installation was active, returns the first stored value that the new version no longer accepts. */
function pendingValue(stored: RecordedInstallation, findProblems: FindProblems): string | undefined {
  const parts = [
    ['account', stored.installation],
    ['site', stored.siteInstallation],
    ['space', stored.spaceInstallation],
  ] as const;
  for (const [section, part] of parts) {
    if (part?.status !== 'active') continue;
    const [problem] = findProblems(section, part.configuration);
    if (problem) return `${problem.property} of configurations.${section}: ${problem.message}`;
  }
  return undefined;
}
