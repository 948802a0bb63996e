import type { Handlers } from '../../contract/console-api.js';
import type { eventRoutes as contract } from '../../contract/routes/events.js';
import type { PlatformEvent } from '../../protocol/events.js';
import { eventTypes } from '../../protocol/sample-events.js';
import { missingScopeWarning, scopeOfEvent } from '../../protocol/scopes.js';
import { HttpError, isHttpError, unknownCall } from '../http/http-error.js';
import type { ScriptHost } from '../../sandbox/script/script-host.js';
import type { CallLog } from '../../store/calls/call-log.js';
import type { Replay } from '../calls/replay.js';
import type { Failures } from '../calls/call-failure.js';
import type { Trigger } from './trigger.js';
import { firedView } from '../calls/call-views.js';

export const eventRoutes = ({
  trigger,
  replay,
  failures,
  host,
  callLog,
}: {
  failures: Failures;
  host: Pick<ScriptHost, 'definedIds' | 'stop'>;
  callLog: Pick<CallLog, 'flush' | 'get'>;
  trigger: Trigger;
  replay: Replay;
}): Handlers<keyof typeof contract> => ({
  'GET /events'() {
    const handled = host.definedIds?.()?.events;
    return eventTypes.map((type) => {
      const scope = scopeOfEvent(type);
      const sample = sampleOf(trigger, type);
      return {
        type,
        ...(scope !== undefined && { scope }),
        ...(sample && { sample }),
        ...(handled && { handled: handled.includes(type) }),
      };
    });
  },
  async 'POST /events'(request) {
    const { event, fired, deliveries } = await trigger.fire(request);
    if (fired.outcome === 'withheld' && fired.reason === 'paused')
      throw new HttpError(409, 'paused', `Installation ${event.installationId} is paused.`);
    if (fired.outcome === 'withheld' && fired.reason === 'missing-scope') {
      const message = missingScopeWarning(fired.event.type, fired.scope);
      throw new HttpError(403, 'missing-scope', message, { call: fired.call });
    }
    return { event, fired: firedView(fired, failures), deliveries };
  },
  'POST /events/sample': (request) => trigger.compose(request),
  'POST /calls/{call}/stop'({ call }) {
    if (host.stop?.(call)) return;
    callLog.flush();
    if (!callLog.get(call)) throw unknownCall(call);
    throw new HttpError(409, 'not-running', `${call} has already responded.`, { call });
  },
  async 'POST /calls/{call}/replay'({ call }, { signal }) {
    const result = await replay(call, signal);
    const failure = failures.of(result.call);
    return failure ? { ...result, failure } : result;
  },
});

/** Returns undefined if the integration is not installed. */
function sampleOf(trigger: Trigger, type: string): PlatformEvent | undefined {
  try {
    return trigger.compose({ type });
  } catch (error) {
    if (isHttpError(error)) return undefined;
    throw error;
  }
}
