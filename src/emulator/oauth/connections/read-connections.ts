import type { PlatformBase } from '../../state/platform-base.js';
import type { Connection, ConnectionStep } from '../../../contract/routes/connections.js';
import type { Integration } from '../../../protocol/integration.js';
import type { OutboundDetails } from '../../../protocol/log-and-outbound-types.js';
import { htmlText } from '../../../base/text/html-text.js';
import type { CallRecord, CallLog } from '../../../store/calls/call-log.js';
import type { Failures } from '../../calls/call-failure.js';
import type { InstallTarget } from '../../state/script-environments.js';
import { readAuthorization } from '../authorization-request.js';
import { connectionSteps, stepsOfRefresh } from './connection-steps.js';
import type { DraftStep, StepReader } from './draft-step.js';
import { pairCalls, type Trip } from './pair-calls.js';

/** How many recent requests to read connections from. Older connections are still in the list of calls. */
const latestRequests = 500;
const maxConnections = 20;
/** How many recent calls to read token refreshes from. Any kind of call can refresh a token. */
const latestRefreshes = 100;

/** Returns a function that lists a target's connections, newest first, or finds the connection that includes a call. */
export function createConnections(
  deps: Pick<PlatformBase, 'callLog' | 'addresses' | 'registry'> & {
    failures: Failures;
    /** Whether the built-in provider replaces the real one. */
    isLocalProvider: boolean;
  },
) {
  const { callLog, failures, addresses, registry, isLocalProvider: builtIn } = deps;
  const read: StepReader = {
    builtIn,
    details: (call, outbound) => readDetails(callLog, call, outbound),
    page: ({ id }) => htmlText(new TextDecoder().decode(callLog.body(id, 'response'))).slice(0, 200),
    refusal(authorize) {
      const result = builtIn ? readAuthorization(authorize.searchParams, addresses) : { ok: true as const };
      return result.ok || result.to === 'client' ? undefined : result.message;
    },
  };

  const describe = (trip: Trip): Connection => {
    const { departure, back } = trip;
    const first = departure ?? back;
    const redirectUrl = trip.authorize?.searchParams.get('redirect_uri');
    return {
      id: first?.id ?? '',
      target: targetOf(back ?? departure),
      time: first?.time ?? 0,
      ...(departure?.request && { startUrl: departure.request.url }),
      ...(redirectUrl && { redirectUrl }),
      ...outcomeOf(connectionSteps(trip, read)),
    };
  };

  const outcomeOf = (drafts: readonly DraftStep[]): Pick<Connection, 'outcome' | 'steps'> => {
    const steps = drafts.map((step) => withFailure(step, failures));
    const states = steps.map(({ state }) => state);
    return {
      outcome: states.includes('failed') ? 'failed' : states.includes('running') ? 'running' : 'connected',
      steps,
    };
  };

  const refreshOf = (call: CallRecord): Connection[] => {
    const steps = stepsOfRefresh(call, read);
    if (steps.length === 0) return [];
    return [{ id: call.id, target: targetOf(call), time: call.time, refresh: true, ...outcomeOf(steps) }];
  };

  return ({ call, ...target }: InstallTarget & { call?: string }): Connection[] => {
    callLog.flush();
    const calls = callLog.list({ type: 'fetch', limit: latestRequests }).map(({ call }) => call);
    const trips = pairCalls(calls, callbacksOf(registry.integration())).toReversed();
    const wanted = trips.filter(({ departure, back }) =>
      call === undefined
        ? isAt(targetOf(back ?? departure), target)
        : departure?.id === call || back?.id === call,
    );
    const later = call === undefined ? callLog.list({ limit: latestRefreshes }) : [];
    const one = call === undefined ? undefined : callLog.get(call);
    const refreshes = [...later.map(({ call }) => call), ...(one ? [one] : [])].filter((call) =>
      isAt(targetOf(call), target),
    );
    return [...wanted.slice(0, maxConnections).map(describe), ...refreshes.flatMap(refreshOf)]
      .sort((a, b) => b.time - a.time)
      .slice(0, maxConnections);
  };
}

function withFailure({ reason, ...step }: DraftStep, failures: Failures): ConnectionStep {
  if (step.state !== 'failed') return step;
  const thrown = step.call === undefined ? undefined : failures.of(step.call);
  const message = reason ?? thrown?.message ?? 'The script did not respond with a success status.';
  return { ...step, failure: { ...thrown, message } };
}

function readDetails(
  callLog: CallLog,
  { id, outbound }: CallRecord,
  index: number,
): OutboundDetails | undefined {
  const number = outbound[index]?.details;
  const bytes = number === undefined ? undefined : callLog.body(id, `outbound-${number}`);
  return bytes && (JSON.parse(new TextDecoder().decode(bytes)) as OutboundDetails);
}

const callbacksOf = ({ configurations }: Integration): string[] =>
  Object.values(configurations).flatMap((section) =>
    Object.values(section?.properties ?? {}).flatMap((property) =>
      property.type === 'button' ? [property.callback_url] : [],
    ),
  );

function targetOf(call: CallRecord | undefined): InstallTarget {
  const { installation, siteInstallation, spaceInstallation } = call?.environment ?? {};
  return {
    ...(installation && { installation: installation.id }),
    ...(siteInstallation && { site: siteInstallation.site }),
    ...(!siteInstallation && spaceInstallation && { space: spaceInstallation.space }),
  };
}

const isAt = (at: InstallTarget, wanted: InstallTarget): boolean =>
  wanted.installation === undefined ||
  (at.installation === wanted.installation && at.site === wanted.site && at.space === wanted.space);
