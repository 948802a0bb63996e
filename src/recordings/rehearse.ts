import { checkConfiguration } from '../emulator/index.js';
import { readThrownError, type ThrownError } from '../base/text/thrown-error.js';
import { scopeOfEvent, scopeOfRoute } from '../protocol/scopes.js';
import type { ConfigurationSection, Integration } from '../protocol/integration.js';
import { seededId, type ReplayOutcome } from '../sandbox/index.js';
import { firstDifferent, type ReplayDifference } from './compare-outcome.js';
import { isPlatform } from './faults/outbound-kinds.js';
import { framesOf } from './position-of-difference.js';
import type { RecordedCall, RecordedInstallation } from './file/recording.js';
import { toRecorded } from './recorded-outcome.js';
import { replayTolerantly, type ReplayOptions, type ReplayResult } from './replay-calls.js';

/** Sorted from worst to best. */
export const rehearsalVerdicts = ['broken', 'pending', 'unknown', 'differs', 'same'] as const;

/** What happened when a call recorded with an earlier version was run with the new one. */
export interface RehearsedCall {
  name: string;
  /**
   * `pending`: the new manifest rejects stored values that the earlier version accepted, so the installation would wait
   * until a user edits the configuration. `unknown`: the new version sends a request that has no recorded response.
   */
  verdict: (typeof rehearsalVerdicts)[number];
  /** Why the call is broken, pending or unknown. */
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
  verdict: 'broken' | 'unknown' | 'differs' | 'same';
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
  const calls = recording.calls.map((call, index) => ({
    ...call,
    stored: completed[index]?.stored ?? call.stored,
  }));
  const probes = calls.flatMap(probesOf);
  const ran = await replayTolerantly({
    ...options,
    recording: {
      ...recording,
      secrets: Object.fromEntries(values),
      calls: [...calls, ...probes.map(({ changed }) => changed)],
    },
  });
  const removed = former?.scopes.filter((scope) => !options.integration.scopes.includes(scope)) ?? [];
  return ran.slice(0, calls.length).map((result) => {
    const { index, call, differences } = result;
    const ignored = probes
      .filter((probe, at) => probe.index === index && isSame(ran[calls.length + at], result))
      .map(({ what }) => what);
    const behavior =
      withoutScope(result, removed) ?? unused(result, ignored) ?? judge(result) ?? unless(differences);
    const pending = recording.calls[index] && pendingValue(recording.calls[index].stored, findProblems);
    const samples = completed[index]?.samples ?? [];
    const common = { name: call.name, differences, samples };
    return pending === undefined
      ? { ...common, ...behavior }
      : { ...common, verdict: 'pending', why: pending, whenSet: behavior };
  });
}

const unless = (differences: readonly ReplayDifference[]): Behavior => ({
  verdict: differences.length > 0 ? 'differs' : 'same',
});

function judge({ call, outcome, differences }: ReplayResult): Behavior | undefined {
  if (differences.length === 0) return undefined;
  const sent = firstDifferent(outcome.outbound);
  const from = framesOf(sent)[0];
  const unanswered = outcome.outbound.find(({ match }) => match === 'none');
  if (unanswered) {
    const { method, url, stack } = unanswered;
    const at = framesOf({ stack })[0];
    return {
      verdict: 'unknown',
      why: `the recording has no response to ${method} ${url}`,
      ...(at && { at }),
    };
  }
  const failure = failureOf(call, outcome);
  // Without a failure, a logged error may have been logged before as well.
  const error = failure && outcome.logs.findLast(({ level }) => level === 'error')?.text;
  const at = error === undefined ? from : framesOf({ stack: error })[0];
  if (failure === undefined) return at && { verdict: 'differs', at };
  const why = error === undefined ? failure : `${failure}: ${readThrownError(error).message}`;
  return { verdict: 'broken', why, ...(at && { at }) };
}

/** The replay supplies the recorded responses even if the platform would now reject the request. */
function withoutScope({ call, outcome }: ReplayResult, removed: readonly string[]): Behavior | undefined {
  const event = scopeOfEvent(call.event.type);
  if (event !== undefined && removed.includes(event))
    return { verdict: 'broken', why: `the event needs the scope ${event}, which was removed` };
  for (const { method, url, stack } of outcome.outbound) {
    const { pathname = '' } = (isPlatform(url) && URL.parse(url)) || {};
    const scope = scopeOfRoute(method, pathname.replace(/^\/api/, ''));
    if (scope === undefined || !removed.includes(scope)) continue;
    const at = framesOf({ stack })[0];
    return {
      verdict: 'broken',
      why: `${method} ${pathname} needs the scope ${scope}, which was removed`,
      ...(at && { at }),
    };
  }
  return undefined;
}

interface Probe {
  index: number;
  /** The property or action that the changed call lacks. */
  what: { property: string; value: string } | { action: string };
  changed: RecordedCall;
}

/** Returns a block's call without one of its properties, and with an unknown action. If nothing changes, the script ignores it. */
function probesOf(call: RecordedCall, index: number): Probe[] {
  const { event } = call;
  if (event.type !== 'ui_render') return [];
  const { props = {}, action = {} } = event as { props?: object; action?: { action?: unknown } };
  const probe = (what: Probe['what'], changes: object): Probe => ({
    index,
    what,
    changed: { ...call, event: { ...event, ...changes } },
  });
  const probes = Object.entries(props).flatMap(([property, value]: [string, unknown]) => {
    const others = Object.entries(props).filter(([name]) => name !== property);
    return typeof value === 'string'
      ? [probe({ property, value }, { props: Object.fromEntries(others) })]
      : [];
  });
  const { action: name } = action;
  if (typeof name !== 'string') return probes;
  return [...probes, probe({ action: name }, { action: { ...action, action: 'example-unknown-action' } })];
}

const isSame = (one: ReplayResult | undefined, other: ReplayResult): boolean =>
  one !== undefined && shown(toRecorded(one.outcome)) === shown(toRecorded(other.outcome));

/** What a call shows and sends. The runtime repeats a block's properties next to its element. */
function shown({ outbound, response: { status, body } = { status: 0 } }: Did): string {
  const { element = body } = (typeof body === 'object' ? body : {}) as { element?: unknown };
  const sent = outbound.map((request) => [request.send, request.body]);
  return JSON.stringify([status, element, sent]).replaceAll(seededId, 'id');
}

type Did = Pick<RecordedCall, 'outbound' | 'response'>;

/** Whether a request is one of the recorded ones without a part of its path. */
const isWithout = (part: string, request: string, { outbound }: RecordedCall): boolean =>
  !request.includes(part) &&
  outbound.some(({ send }) => {
    const prefix = send.includes(part) ? send.slice(0, send.indexOf(part)) : '';
    return /^\w+ \w+:[/]{2}[^/]+[/]./.test(prefix) && request.startsWith(prefix);
  });

/** Finds a property or action of a block in a published page that the earlier version used and the new one ignores. */
function unused(
  { call, differences, outcome }: ReplayResult,
  ignored: readonly Probe['what'][],
): Behavior | undefined {
  if (differences.length === 0) return undefined;
  const [before, after] = [shown(call), shown(toRecorded(outcome))];
  const unanswered = outcome.outbound.filter(({ match }) => match === 'none');
  // Without a response, the script may not get as far as using a property, unless the request itself lacks it.
  const isUnused = (part: string): boolean =>
    unanswered.length > 0
      ? unanswered.some(({ method, url }) => isWithout(part, `${method} ${url}`, call))
      : before.split(part).length > after.split(part).length;
  for (const what of ignored) {
    if ('action' in what) {
      if (unanswered.length > 0) continue;
      return { verdict: 'broken', why: `the action ${what.action}, which published pages use, does nothing` };
    }
    if (what.value.split(/[\s/?&=#]+/).some((part) => part.length > 2 && isUnused(part)))
      return {
        verdict: 'broken',
        why: `the property ${what.property} of blocks in published pages is no longer used`,
      };
  }
  return undefined;
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
