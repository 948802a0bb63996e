import type { Clock } from '../../base/clock.js';
import type { ScriptObserver } from '../../sandbox/script/script-host.js';
import type {
  CallRecord,
  CallLog,
  CallOutcome,
  CallProblem,
  RecordedRequest,
} from '../../store/calls/call-log.js';
import type { EventFeed } from '../live/event-feed.js';
import type { Secrets } from '../state/platform-secrets.js';
import type { Environment } from '../../protocol/environment.js';
import type {
  CallCause,
  CallEffect,
  DefaultedProperties,
  LogLine,
  OutboundCall,
} from '../../protocol/log-and-outbound-types.js';
import type { PlatformEvent } from '../../protocol/events.js';
import type { CallLimits } from '../../protocol/call-limits.js';
import { blockedWarning } from './call-failure.js';
import { nearLimits } from './headroom.js';
import { judgeCall } from './judge-call.js';
import type { Declared } from './likely-cause.js';
import { newId } from '../state/new-id.js';
import { maskedStart, outboundDetails } from './mask-recorded.js';

type Which = 'request' | 'response';

/** Records a single call of the script while it runs. */
export interface Recording {
  entry: CallRecord;
  /** Records a body that is entirely in memory. */
  whole(which: Which, bytes: Uint8Array): void;
  /** Records a chunk of a streamed body. */
  piece(which: Which, chunk: Uint8Array): void;
  responded(response: Response): void;
  noticed(problem: CallProblem): void;
  finish(outcome: CallOutcome, error?: string): void;
}

export interface CallRecorder {
  begin(call: CallStart): Recording;
  /** Adds an effect of a call to the call's entry. */
  ledTo(call: string, effect: CallEffect): void;
  /** Adds a problem that the platform noticed while handling the call. */
  noticed(call: string, problem: CallProblem): void;
  /**
   * Returns an entry in its current state. This differs from the log, which contains only the start of a call that is still
   * running or that was running when the platform was killed.
   */
  current(entry: CallRecord): CallRecord;
  observer: ScriptObserver;
}

/** How many finished calls are remembered. They may still write log lines, because their `waitUntil` work continues. */
const remembered = 256;

type AddTo = (entry: CallRecord) => void;
/**
 * Adds something to the entry of a call. If the call has already ended and the addition changes its verdict, sends an event
 * that makes clients read the call again. With `reread`, the event is always sent, because there is no other event for the
 * addition.
 */
type Attach = (
  id: string | undefined,
  add: AddTo,
  reread?: 'reread',
) => { call: string | undefined; late: boolean };

interface RecorderDeps {
  callLog: CallLog;
  clock: Clock;
  feed: EventFeed;
  secrets: Secrets;
  version: () => number;
  limits: CallLimits;
  /** Returns what the current manifest declares. */
  declared: () => Declared;
}

export function createCallRecorder(deps: RecorderDeps): CallRecorder {
  const { callLog, clock, feed } = deps;
  const outside = createOutboundRequests(deps);
  const running = new Map<string, CallRecord>();
  const ended = new Map<string, CallRecord>();

  const attach: Attach = (id, add, reread) => {
    const live = id === undefined ? undefined : running.get(id);
    const entry = live ?? (id === undefined ? outside.entry() : (ended.get(id) ?? callLog.get(id)));
    if (!entry) return { call: id, late: true };
    add(entry);
    if (!live) {
      const before = JSON.stringify(entry.verdict);
      judge(entry, deps);
      callLog.record(entry);
      if (reread || JSON.stringify(entry.verdict) !== before)
        feed.emitToConsole({ type: 'call-changed', call: entry.id });
    }
    if (entry.source === 'script' && entry.logs.length + entry.outbound.length === 1)
      feed.emit({ type: 'call-started', call: entry });
    return { call: entry.id, late: !live };
  };

  const remember = (entry: CallRecord): void => {
    running.delete(entry.id);
    ended.set(entry.id, entry);
    const [oldest] = ended.keys();
    if (ended.size > remembered && oldest !== undefined) ended.delete(oldest);
  };

  const ledTo: CallRecorder['ledTo'] = (call, effect) =>
    void attach(call, (entry) => addEffect(entry, effect), 'reread');

  return {
    ledTo,
    noticed: (call, problem) => void attach(call, (entry) => addProblem(entry, problem), 'reread'),
    begin(call) {
      const entry = firstCall(call, clock.now(), deps);
      const { cause } = call;
      if (cause?.call !== undefined && cause.type !== 'display') {
        const { type, task } = cause;
        ledTo(cause.call, {
          type,
          time: entry.time,
          call: entry.id,
          ...(task !== undefined && { id: task }),
        });
      }
      running.set(entry.id, entry);
      callLog.record(entry);
      feed.emit({ type: 'call-started', call: entry });
      return createRecording(entry, deps, () => {
        remember(entry);
        judge(entry, deps);
        callLog.record(entry);
        feed.emit({ type: 'call-finished', call: entry });
      });
    },
    current(entry) {
      if (entry.outcome !== 'running') return entry;
      return (
        running.get(entry.id) ?? {
          ...entry,
          outcome: 'failed',
          error: 'The platform stopped during this call.',
        }
      );
    },
    observer: createObserver(deps, attach),
  };
}

function judge(entry: CallRecord, { limits, declared }: Pick<RecorderDeps, 'limits' | 'declared'>): void {
  const near = nearLimits(entry, limits);
  if (near) entry.near = near;
  const verdict = judgeCall(entry, declared());
  if (verdict) entry.verdict = verdict;
}

/** Adds the script's reports to the entries of the calls that they belong to. */
const createObserver = ({ callLog, feed, secrets }: RecorderDeps, attach: Attach): ScriptObserver => ({
  mask: secrets.mask,
  log({ callId, ...logged }) {
    const line: LogLine = logged;
    const where = attach(callId, (entry) => {
      entry.logs.push(line);
      if (entry.source === 'script' && line.level === 'error') entry.outcome = 'failed';
    });
    feed.emit({ type: 'log', ...where, line });
  },
  outbound({ callId, exchange, ...request }) {
    const known: OutboundCall = request;
    const where = attach(callId, (entry) => {
      if (exchange) {
        known.details = entry.outbound.length;
        const details = JSON.stringify(outboundDetails(exchange, secrets));
        callLog.appendBody(entry.id, `outbound-${known.details}`, Buffer.from(details));
      }
      addInOrder(entry.outbound, known);
    });
    feed.emit({ type: 'outbound', ...where, request });
  },
  memory({ callId, ...memory }) {
    attach(callId, (entry) => {
      entry.memory = memory;
    });
  },
  blocked: (by) => feed.emit(blockedWarning(by)),
  background({ callId = '', number, ...span }) {
    attach(
      callId,
      (entry) => {
        entry.background ??= [];
        entry.background[number] = span;
      },
      'reread',
    );
  },
});

/** Inserts a request by its start time, because requests are reported in the order in which they end. */
function addInOrder(outbound: OutboundCall[], request: OutboundCall): void {
  const { number = Infinity } = request;
  const before = outbound.findLastIndex((other) => (other.number ?? -1) <= number);
  outbound.splice(before + 1, 0, request);
}

/** Records a call in its entry, with its secrets masked. */
function createRecording(
  entry: CallRecord,
  { callLog, clock, secrets }: Pick<RecorderDeps, 'callLog' | 'clock' | 'secrets'>,
  onFinished: () => void,
): Recording {
  const began = clock.monotonic();
  const passing = new Map<Which, ReturnType<Secrets['bodyMask']>>();
  const append = (which: Which, masked: Uint8Array | undefined): void => {
    if (masked?.length) callLog.appendBody(entry.id, which, masked);
  };
  return {
    entry,
    whole(which, bytes) {
      entry[`${which}Bytes`] += bytes.length;
      append(which, secrets.maskBytes(bytes));
    },
    piece(which, chunk) {
      const mask = passing.get(which) ?? secrets.bodyMask();
      passing.set(which, mask);
      entry[`${which}Bytes`] += chunk.length;
      append(which, mask(chunk));
    },
    responded({ status, headers }) {
      entry.headMs = Math.round(clock.monotonic() - began);
      entry.response = { status, headers: secrets.maskValue([...headers]) };
    },
    noticed: (problem) => addProblem(entry, problem),
    finish(outcome, error) {
      if (entry.outcome !== 'running') return;
      for (const [which, mask] of passing) append(which, mask());
      entry.outcome = outcome;
      entry.durationMs = Math.round(clock.monotonic() - began);
      if (error !== undefined) entry.error = secrets.mask(error);
      onFinished();
    },
  };
}

export interface CallStart {
  id: string;
  source: CallRecord['source'];
  event: PlatformEvent | undefined;
  environment: Environment | undefined;
  /** The values in the environment that are defaults, if they are known. */
  defaulted: DefaultedProperties | undefined;
  request?: RecordedRequest;
  cause?: CallCause;
  effects?: CallEffect[];
  /** A scope that the event requires but the manifest does not request. */
  missingScope?: string;
  scriptBytes: number | undefined;
}

function firstCall(
  call: CallStart,
  time: number,
  { secrets, version }: Pick<RecorderDeps, 'secrets' | 'version'>,
): CallRecord {
  const { id, source, environment, defaulted, cause, effects, missingScope, scriptBytes } = call;
  return {
    id,
    source,
    ...maskedStart(call, secrets),
    environment: secrets.maskEnvironment(environment),
    time,
    version: version(),
    outcome: 'running',
    requestBytes: 0,
    responseBytes: 0,
    logs: [],
    outbound: [],
    ...(scriptBytes !== undefined && { scriptBytes }),
    ...(defaulted && { defaulted }),
    ...(missingScope !== undefined && { missingScope }),
    ...(cause && { cause }),
    ...(effects && effects.length > 0 && { effects }),
  };
}

const maxProblems = 100;

/** Adds a problem to a call, unless the call already contains the same problem. */
function addProblem(entry: CallRecord, problem: CallProblem): void {
  const problems = (entry.problems ??= []);
  if (problems.length < maxProblems && problems.every(({ message }) => message !== problem.message))
    problems.push(problem);
}

const maxEffects = 1000;

/** Adds an effect to a call. When a queued task has been run, replaces the task with the call that ran it. */
function addEffect(entry: CallRecord, effect: CallEffect): void {
  const effects = (entry.effects ??= []);
  const queued = effects.find(({ type, id }) => type === 'task' && id !== undefined && id === effect.id);
  if (queued) Object.assign(queued, { call: effect.call });
  else if (effects.length < maxEffects) effects.push(effect);
}

/** Collects what the script logs and requests between calls, either while it loads or in its own timers. */
interface OutboundRequests {
  /** Returns the entry for new reports. Reports that arrive within a short time share an entry. */
  entry(): CallRecord;
}

const groupMs = 1000;
const most = 100;

function createOutboundRequests({
  clock,
  version,
}: {
  clock: Clock;
  version: () => number;
}): OutboundRequests {
  let current: CallRecord | undefined;
  let last = 0;
  return {
    entry() {
      const now = clock.now();
      const full = current && current.logs.length + current.outbound.length >= most;
      if (!current || full || current.version !== version() || now - last > groupMs) {
        current = {
          id: newId('call'),
          source: 'script',
          event: undefined,
          environment: undefined,
          time: now,
          version: version(),
          outcome: 'ok',
          requestBytes: 0,
          responseBytes: 0,
          logs: [],
          outbound: [],
        };
      }
      last = now;
      return current;
    },
  };
}
