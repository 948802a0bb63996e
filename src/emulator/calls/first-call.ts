import type { Environment } from '../../protocol/environment.js';
import type { PlatformEvent } from '../../protocol/events.js';
import type { TrafficEntry, TrafficRequest } from '../../store/calls/call-log.js';
import type { Secrets } from '../mask/platform-secrets.js';

export interface CallStart {
  id: string;
  source: TrafficEntry['source'];
  event: PlatformEvent | undefined;
  environment: Environment | undefined;
  version: number;
  request?: TrafficRequest;
}

/** A call as it begins. */
export function firstEntry(call: CallStart, time: number, secrets: Secrets): TrafficEntry {
  const { id, source, environment, version } = call;
  return {
    id,
    source,
    ...shown(call, secrets),
    environment: secrets.maskEnvironment(environment),
    time,
    version,
    outcome: 'running',
    requestBytes: 0,
    responseBytes: 0,
    logs: [],
    outbound: [],
  };
}

/** Hardly any call holds a secret: one look at all of it tells. */
function shown({ event, request }: CallStart, secrets: Secrets): Pick<TrafficEntry, 'event' | 'request'> {
  const kept = { event, ...(request && { request }) };
  // The event of a request has its headers too.
  const looked = event && 'request' in event ? [event, request?.url] : kept;
  return secrets.occurIn(looked) ? secrets.maskValue(kept) : kept;
}
