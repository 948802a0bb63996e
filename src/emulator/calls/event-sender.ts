import type { PlatformBase } from '../state/platform-base.js';
import type { Clock } from '../../base/clock.js';
import type { CallCause, SetupChange } from '../../protocol/log-and-outbound-types.js';
import type { PlatformEvent, WebhookEvent } from '../../protocol/events.js';
import { isWebhookEvent } from '../../protocol/webhook-events.js';
import { missingScopeWarning, scopeOfEvent, type Scope } from '../../protocol/scopes.js';
import { defaultReadMs, readResponse } from '../http/limit-body.js';
import type { Environments, InstallTarget } from '../state/script-environments.js';
import type { CallRecorder } from './call-recorder.js';
import { eventOfCall, newId } from '../state/new-id.js';
import type { Registry } from '../state/registry.js';
import { outcomeOf, type ScriptCalls } from './script-calls.js';
import type { NewEvent } from '../state/require-installation.js';

export type FiredEvent =
  | {
      outcome: 'ok' | 'failed' | 'no-handler';
      /** The id of the call in the log. */
      call: string;
      event: PlatformEvent;
      status: number;
      contentType: string;
      headers: Headers;
      body: Uint8Array;
      /** A scope that the event requires but the manifest does not request. */
      missingScope?: Scope;
    }
  | { outcome: 'withheld'; reason: 'paused' | 'not-installed'; event: PlatformEvent }
  | { outcome: 'withheld'; reason: 'missing-scope'; scope: Scope; call: string; event: PlatformEvent };

/** What is known about a call before it starts. */
export interface Origin {
  id?: string;
  cause?: CallCause;
  /** The call that caused this one without a delay. */
  from?: string | undefined;
  /** Whether to omit the warning about a missing scope. */
  quiet?: boolean;
}

/**
 * Returns the origin of an event about a change to an installation. `call` is the id of the call that made the change through
 * the API.
 */
export const setupBy = (change: SetupChange, call?: string): Origin => ({
  cause: { type: 'setup', change, ...(call !== undefined && { call }) },
  from: call,
});

export type EventSender = ReturnType<typeof createEventSender>;

export function createEventSender(
  deps: Pick<PlatformBase, 'registry' | 'feed' | 'scopes' | 'timers' | 'limits'> & {
    environments: Environments;
    calls: ScriptCalls;
    recorder: Pick<CallRecorder, 'ledTo'>;
    clock: Pick<Clock, 'now'>;
    forward: (event: WebhookEvent) => Promise<string[]>;
  },
) {
  const { registry, environments, calls, recorder, feed, scopes, clock, timers, forward } = deps;
  const read = { bytes: largestAnswer, ms: deps.limits.timeMs ?? defaultReadMs, timers };

  const fire = async (
    newEvent: NewEvent,
    target: InstallTarget,
    { id = newId('call'), quiet = false, ...links }: Origin = {},
  ): Promise<FiredEvent> => {
    const event: PlatformEvent = { eventId: eventOfCall(id), ...newEvent };
    const environment = environments.of(target);
    if (!environment) return { outcome: 'withheld', reason: 'not-installed', event };
    if (environment.installation?.status === 'paused')
      return { outcome: 'withheld', reason: 'paused', event };

    const call = { id, source: 'event', event, environment, ...links } as const;
    const scope = missingScope(registry, event.type);
    if (scope && scopes === 'enforce') {
      calls.withhold(call, missingScopeWarning(event.type, scope));
      return { outcome: 'withheld', reason: 'missing-scope', scope, call: id, event };
    }
    const response = await calls.call({ ...call, ...(scope && { missingScope: scope }) });
    // If only part of the body is read, the log explains why.
    const { bytes: body } = await readResponse(response, read);
    const outcome = outcomeOf('event', response.status) as 'ok' | 'failed' | 'no-handler';
    // Without a handler, the script does not need the scope.
    if (scope && !quiet && outcome !== 'no-handler') {
      const message = missingScopeWarning(event.type, scope);
      feed.emit({ type: 'warning', code: 'missing-scope', message, call: id });
    }
    const { status, headers } = response;
    const contentType = headers.get('content-type') ?? '';
    return {
      outcome,
      call: id,
      event,
      status,
      contentType,
      headers,
      body,
      ...(scope && { missingScope: scope }),
    };
  };
  /**
   * Sends an event to the script and to the webhook endpoints. The script also receives it if the deliveries cannot be stored.
   * In this case, rejects once the script has responded.
   */
  const fireAndForward = async (
    event: PlatformEvent,
    target: InstallTarget,
    { id = newId('call'), ...origin }: Origin = {},
  ): Promise<{ fired: FiredEvent; deliveries: string[] }> => {
    const firing = fire(event, target, { id, ...origin });
    const forwarding = isWebhookEvent(event) ? forward(event) : Promise.resolve([]);
    const linked = forwarding.then((deliveries) => {
      for (const delivery of deliveries)
        recorder.ledTo(id, { type: 'delivery', time: clock.now(), id: delivery });
      return deliveries;
    });
    const [fired] = await Promise.allSettled([firing, linked]);
    if (fired.status === 'rejected') throw fired.reason;
    return { fired: fired.value, deliveries: await linked };
  };
  return { fire, fireAndForward };
}

/** No event needs a longer response, so the rest is not read. */
const largestAnswer = 4 * 1024 * 1024;

function missingScope(registry: Registry, type: string): Scope | undefined {
  const scope = scopeOfEvent(type);
  return scope && !registry.integration().scopes.includes(scope) ? scope : undefined;
}
