import { peekOAuthState } from '../../../protocol/oauth/oauth-state.js';
import type { CallRecord } from '../../../store/calls/call-log.js';
import { pathBelow, urlOf, type Trip } from './pair-calls.js';
import type { DraftStep, StepReader } from './draft-step.js';
import { factsOf, type Fact } from './read-fields.js';
import { exchangeOf, exchangeSteps, refreshSteps } from './exchange-steps.js';

/**
 * Returns the steps of a connection, in order. Steps after one that has failed or is still running are marked as not
 * reached.
 */
export function connectionSteps(trip: Trip, read: StepReader): DraftStep[] {
  const steps = [
    authorizeStep(trip, read),
    consentStep(trip, read),
    ...(trip.back ? [returnStep(trip, trip.back, read), ...exchangeSteps(trip.back, read)] : []),
  ];
  return upToTheEnd(names, steps);
}

/** Returns the steps of a later token refresh, or an empty list if the call did not refresh a token. */
export function stepsOfRefresh(call: CallRecord, read: StepReader): DraftStep[] {
  const steps = refreshSteps(call, read);
  return steps.length === 0 ? [] : upToTheEnd(names.slice(3), steps);
}

function upToTheEnd(of: readonly DraftStep['name'][], steps: readonly DraftStep[]): DraftStep[] {
  const end = steps.findIndex(({ state }) => state !== 'done');
  return of.map(
    (name, index) =>
      (end < 0 || index <= end ? steps[index] : undefined) ?? {
        name,
        state: 'not-reached',
        sent: [],
        received: [],
      },
  );
}

const names = ['authorize', 'consent', 'return', 'exchange', 'extract', 'store'] as const;

function authorizeStep({ departure, authorize }: Trip, read: StepReader): DraftStep {
  if (!departure) {
    const hint = "The call that sent the user to the provider wasn't recorded.";
    return { name: 'authorize', state: 'done', sent: [], received: [], hint };
  }
  const step = {
    name: 'authorize' as const,
    ...spanOf(departure),
    call: departure.id,
    sent: requestFacts(departure),
  };
  if (authorize)
    return {
      ...step,
      state: 'done',
      verdict: `redirect to ${authorize.host}${read.builtIn ? ', replaced by the built-in provider' : ''}`,
      received: queryFacts(authorize),
    };
  const status = departure.response?.status;
  const page = departure.outcome === 'failed' ? '' : read.page(departure);
  return {
    ...step,
    state: 'failed',
    verdict: 'no redirect to the provider',
    received: factsOf({ status }),
    ...(departure.outcome !== 'failed' && {
      reason: `The script responded with ${status} instead of a redirect to the provider${page && `: ${page}`}`,
    }),
  };
}

function consentStep({ departure, authorize, back }: Trip, read: StepReader): DraftStep {
  const time = departure && departure.time + (departure.durationMs ?? 0);
  const step = {
    name: 'consent' as const,
    ...(time !== undefined && { time }),
    ...(time !== undefined && back && { durationMs: back.time - time }),
    sent: authorize ? [{ name: 'page', value: authorize.origin + authorize.pathname }] : [],
  };
  if (!back) {
    const reason = authorize && read.refusal(authorize);
    const hint = 'Waiting for the user to return from the provider.';
    const waiting = { state: 'running', verdict: 'waiting for the user', hint } as const;
    return {
      ...step,
      received: [],
      ...(reason ? { state: 'failed', verdict: 'the provider rejects the request', reason } : waiting),
    };
  }
  const { error, error_description: description, code } = queryOf(back);
  const received = factsOf({ code, error, error_description: description });
  if (error === undefined) return { ...step, state: 'done', verdict: 'code received', received };
  const reason = `The provider sent the user back with ${error}${description === undefined ? '' : `: ${description}`}`;
  return { ...step, state: 'failed', verdict: error, received, reason };
}

function returnStep(trip: Trip, back: CallRecord, read: StepReader): DraftStep {
  const { state: sealed } = queryOf(back);
  const exchange = exchangeOf(back, read);
  const { issued, path } = peekOAuthState(sealed ?? '');
  const step = {
    name: 'return' as const,
    call: back.id,
    time: back.time,
    sent: requestFacts(back),
    received: factsOf({
      'state issued for': path,
      'state age': Number.isFinite(issued) ? `${Math.round((back.time - issued) / 1000)} s` : undefined,
    }),
  };
  if (exchange)
    return {
      ...step,
      state: 'done',
      verdict: 'state accepted',
      durationMs: exchange.request.time - back.time,
    };
  if (back.outcome === 'running') return { ...step, state: 'running' };
  const failed = { ...step, state: 'failed' as const, ...spanOf(back) };
  if (back.outcome === 'failed') return failed;
  const status = back.response?.status ?? 0;
  const problem = status >= 400 ? stateProblem(sealed, trip, back.time) : undefined;
  const page = status >= 400 ? read.page(back) : '';
  const responded = `The script responded with ${status} and did not request a token`;
  return {
    ...failed,
    verdict: problem ? 'state rejected' : 'no token requested',
    reason: problem ?? `${responded}${page && `: ${page}`}`,
  };
}

const stateLifetimeMs = 10 * 60 * 1000;

function stateProblem(sealed: string | undefined, { authorize }: Trip, now: number): string | undefined {
  if (sealed === undefined) return 'The provider did not return a state.';
  const sent = authorize?.searchParams.get('state');
  if (sent !== undefined && sent !== sealed)
    return 'The returned state does not match the state that was sent.';
  const age = now - peekOAuthState(sealed).issued;
  if (age > stateLifetimeMs)
    return `The state is ${Math.round(age / 60_000)} minutes old. It is valid for 10 minutes.`;
  return sent === undefined ? 'No recorded call sent this state.' : undefined;
}

const spanOf = ({ time, durationMs }: CallRecord): Pick<DraftStep, 'time' | 'durationMs'> => ({
  time,
  ...(durationMs !== undefined && { durationMs }),
});

const queryOf = (call: CallRecord): Record<string, string | undefined> =>
  Object.fromEntries(urlOf(call)?.searchParams ?? []);

function requestFacts(call: CallRecord): Fact[] {
  const url = urlOf(call);
  const { method } = call.request ?? {};
  return [
    ...(url ? [{ name: 'request', value: `${method} ${pathBelow(url) || '/'}` }] : []),
    ...factsOf(queryOf(call)),
  ];
}

const queryFacts = (authorize: URL): Fact[] => [
  { name: 'redirect', value: authorize.origin + authorize.pathname },
  ...factsOf(Object.fromEntries(authorize.searchParams)),
];
