import type { Clock } from '../protocol/clock.js';
import type { Environment } from '../protocol/environment.js';
import type { PlatformEvent } from '../protocol/events.js';
import type { ScriptObserver } from '../sandbox/script-host.js';
import type { TrafficEntry, TrafficLog, TrafficOutcome, TrafficRequest } from '../store/traffic.js';
import type { EventFeed } from './event-feed.js';
import { createOutsideCalls } from './outside-calls.js';
import type { Secrets } from './secrets.js';

interface CallStart {
  id: string;
  source: TrafficEntry['source'];
  event: PlatformEvent | undefined;
  environment: Environment | undefined;
  version: number;
  request?: TrafficRequest;
}

/** One call of the script while it runs. */
export interface Recording {
  entry: TrafficEntry;
  requestBytes(chunk: Uint8Array): void;
  answered(response: Response): void;
  responseBytes(chunk: Uint8Array): void;
  finish(outcome: TrafficOutcome, error?: string): void;
}

export interface TrafficRecorder {
  begin(call: CallStart): Recording;
  /** As it is now: the log has a call that still runs, or that a killed platform left, as it began. */
  current(entry: TrafficEntry): TrafficEntry;
  observer: ScriptObserver;
}

/** Calls that have ended may still log: their `waitUntil` work goes on. */
const remembered = 256;

export function createTrafficRecorder(deps: {
  traffic: TrafficLog;
  clock: Clock;
  feed: EventFeed;
  secrets: Secrets;
  version: () => number;
}): TrafficRecorder {
  const { traffic, clock, feed, secrets } = deps;
  const outside = createOutsideCalls(deps);
  const running = new Map<string, TrafficEntry>();
  const ended = new Map<string, TrafficEntry>();

  const attach = (
    id: string | undefined,
    add: (entry: TrafficEntry) => void,
  ): { call: string | undefined; late: boolean } => {
    const live = id === undefined ? undefined : running.get(id);
    const entry = live ?? (id === undefined ? outside.entry() : (ended.get(id) ?? traffic.get(id)));
    if (!entry) return { call: id, late: true };
    add(entry);
    if (!live) traffic.record(entry);
    if (entry.source === 'script' && entry.logs.length + entry.outbound.length === 1)
      feed.emit({ type: 'traffic-started', entry });
    return { call: entry.id, late: !live };
  };

  const remember = (entry: TrafficEntry): void => {
    running.delete(entry.id);
    ended.set(entry.id, entry);
    const [oldest] = ended.keys();
    if (ended.size > remembered && oldest !== undefined) ended.delete(oldest);
  };

  return {
    begin(call) {
      const entry = firstEntry(call, clock.now(), secrets);
      const bodies = { request: secrets.bodyMask(), response: secrets.bodyMask() };
      const append = (which: 'request' | 'response', chunk?: Uint8Array): void => {
        const masked = bodies[which](chunk);
        if (masked?.length) traffic.appendBody(entry.id, which, masked);
      };
      running.set(entry.id, entry);
      traffic.record(entry);
      feed.emit({ type: 'traffic-started', entry });
      return {
        entry,
        requestBytes(chunk) {
          entry.requestBytes += chunk.length;
          append('request', chunk);
        },
        answered({ status, headers }) {
          entry.response = { status, headers: maskHeaders(secrets, [...headers]) };
        },
        responseBytes(chunk) {
          entry.responseBytes += chunk.length;
          append('response', chunk);
        },
        finish(outcome, error) {
          if (entry.outcome !== 'running') return;
          if (entry.requestBytes > 0) append('request');
          if (entry.responseBytes > 0) append('response');
          entry.outcome = outcome;
          entry.durationMs = clock.now() - entry.time;
          if (error !== undefined) entry.error = secrets.mask(error);
          remember(entry);
          traffic.record(entry);
          feed.emit({ type: 'traffic-finished', entry });
        },
      };
    },
    current(entry) {
      if (entry.outcome !== 'running') return entry;
      return (
        running.get(entry.id) ?? {
          ...entry,
          outcome: 'failed',
          error: 'The platform ended during this call.',
        }
      );
    },
    observer: {
      log({ callId, level, text, time }) {
        const line = { level, text: secrets.mask(text), time };
        const where = attach(callId, (entry) => {
          entry.logs.push(line);
          if (entry.source === 'script' && level === 'error') entry.outcome = 'failed';
        });
        feed.emit({ type: 'log', ...where, line });
      },
      outbound({ callId, ...call }) {
        const request = {
          ...call,
          url: secrets.mask(call.url),
          ...(call.error !== undefined && { error: secrets.mask(call.error) }),
        };
        const where = attach(callId, (entry) => entry.outbound.push(request));
        feed.emit({ type: 'outbound', ...where, request });
      },
    },
  };
}

function firstEntry(call: CallStart, time: number, secrets: Secrets): TrafficEntry {
  const { id, source, event, environment, version, request } = call;
  return {
    id,
    source,
    event: maskEvent(secrets, event),
    environment: secrets.maskEnvironment(environment),
    time,
    version,
    ...(request && {
      request: {
        method: request.method,
        url: secrets.mask(request.url),
        headers: maskHeaders(secrets, request.headers),
      },
    }),
    outcome: 'running',
    requestBytes: 0,
    responseBytes: 0,
    logs: [],
    outbound: [],
  };
}

/** Most events hold no secret and are kept as they are. */
function maskEvent(secrets: Secrets, event: PlatformEvent | undefined): PlatformEvent | undefined {
  const json = JSON.stringify(event);
  const masked = event && secrets.mask(json);
  return masked === undefined || masked === json ? event : (JSON.parse(masked) as PlatformEvent);
}

function maskHeaders(secrets: Secrets, headers: [string, string][]): [string, string][] {
  return headers.map(([name, value]) => [name, secrets.mask(value)]);
}
