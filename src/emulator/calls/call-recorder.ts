import type { PlatformBase } from '../state/platform-base.js';
import type { Clock } from '../../base/clock.js';
import type { ScriptObserver } from '../../sandbox/script/script-host.js';
import type { CallRecord, CallOutcome, CallProblem } from '../../store/calls/call-log.js';
import type { Secrets } from '../state/platform-secrets.js';

import type { CallEffect, LogLine, OutboundCall } from '../../protocol/log-and-outbound-types.js';

import { blockedWarning } from './call-failure.js';
import { nearLimits } from './headroom.js';
import { judgeCall } from './judge-call.js';
import type { Declared } from './likely-cause.js';
import { newId } from '../state/new-id.js';
import { maskedStart, outboundDetails } from './mask-recorded.js';

type Which = 'request' | 'response';

/** Records a single script call while it runs. */
export type Recording = ReturnType<typeof createRecording>;

export type CallRecorder = ReturnType<typeof createCallRecorder>;

/** How many finished calls to remember. Their `waitUntil` work may still write log lines. */
const remembered = 256;

type AddTo = (call: CallRecord) => void;
/**
 * Adds something to a call. If this changes the verdict of a call that has already ended, sends an event that makes clients
 * reload the call. With `reread`, always sends the event, because no other event reports the addition.
 */
type Attach = (
  id: string | undefined,
  add: AddTo,
  reread?: 'reread',
) => { call: string | undefined; late: boolean };

interface RecorderDeps extends Pick<PlatformBase, 'callLog' | 'clock' | 'feed' | 'secrets' | 'limits'> {
  version: () => number;
  /** Returns what the current manifest declares. */
  declared: () => Declared;
}

export function createCallRecorder(deps: RecorderDeps) {
  const { callLog, clock, feed } = deps;
  const outside = createOutboundRequests(deps);
  const running = new Map<string, CallRecord>();
  const ended = new Map<string, CallRecord>();

  const attach: Attach = (id, add, reread) => {
    const live = id === undefined ? undefined : running.get(id);
    const call = live ?? (id === undefined ? outside.entry() : (ended.get(id) ?? callLog.get(id)));
    if (!call) return { call: id, late: true };
    add(call);
    if (!live) {
      const before = JSON.stringify(call.verdict);
      judge(call, deps);
      callLog.record(call);
      if (reread || JSON.stringify(call.verdict) !== before)
        feed.emitToConsole({ type: 'call-changed', call: call.id });
    }
    if (call.source === 'script' && call.logs.length + call.outbound.length === 1)
      feed.emit({ type: 'call-started', call });
    return { call: call.id, late: !live };
  };

  const remember = (call: CallRecord): void => {
    running.delete(call.id);
    ended.set(call.id, call);
    const [oldest] = ended.keys();
    if (ended.size > remembered && oldest !== undefined) ended.delete(oldest);
  };

  const ledTo = (id: string, effect: CallEffect): void =>
    void attach(id, (call) => addEffect(call, effect), 'reread');

  return {
    ledTo,
    /** Adds a problem that the platform noticed while handling the call. */
    noticed: (id: string, problem: CallProblem) =>
      void attach(id, (call) => addProblem(call, problem), 'reread'),
    begin(call: CallStart) {
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
    /**
     * Returns a call with everything known so far. The log contains only the start of a call that is still running, or that
     * was running when the platform was killed.
     */
    current(call: CallRecord): CallRecord {
      if (call.outcome !== 'running') return call;
      return (
        running.get(call.id) ?? {
          ...call,
          outcome: 'failed',
          error: 'The platform stopped during this call.',
        }
      );
    },
    observer: createObserver(deps, attach),
  };
}

function judge(call: CallRecord, { limits, declared }: Pick<RecorderDeps, 'limits' | 'declared'>): void {
  const near = nearLimits(call, limits);
  if (near) call.near = near;
  const verdict = judgeCall(call, declared());
  if (verdict) call.verdict = verdict;
}

/** Adds the script's logs, requests and other reports to their calls. */
const createObserver = ({ callLog, feed, secrets }: RecorderDeps, attach: Attach): ScriptObserver => ({
  mask: secrets.mask,
  log({ callId, ...logged }) {
    const line: LogLine = logged;
    const where = attach(callId, (call) => {
      call.logs.push(line);
      if (call.source === 'script' && line.level === 'error') call.outcome = 'failed';
    });
    feed.emit({ type: 'log', ...where, line });
  },
  outbound({ callId, exchange, ...request }) {
    const known: OutboundCall = request;
    const where = attach(callId, (call) => {
      if (exchange) {
        known.details = call.outbound.length;
        const details = JSON.stringify(outboundDetails(exchange, secrets));
        callLog.appendBody(call.id, `outbound-${known.details}`, Buffer.from(details));
      }
      addInOrder(call.outbound, known);
    });
    feed.emit({ type: 'outbound', ...where, request });
  },
  memory({ callId, ...memory }) {
    attach(callId, (call) => {
      call.memory = memory;
    });
  },
  blocked: (by) => feed.emit(blockedWarning(by)),
  background({ callId = '', number, ...span }) {
    attach(
      callId,
      (call) => {
        call.background ??= [];
        call.background[number] = span;
      },
      'reread',
    );
  },
});

/** Inserts a request by its start time, because requests are reported as they end. */
function addInOrder(outbound: OutboundCall[], request: OutboundCall): void {
  const { number = Infinity } = request;
  const before = outbound.findLastIndex((other) => (other.number ?? -1) <= number);
  outbound.splice(before + 1, 0, request);
}

/** Records a call, with its secrets masked. */
function createRecording(
  call: CallRecord,
  { callLog, clock, secrets }: Pick<RecorderDeps, 'callLog' | 'clock' | 'secrets'>,
  onFinished: () => void,
) {
  const began = clock.monotonic();
  const passing = new Map<Which, ReturnType<Secrets['bodyMask']>>();
  const append = (which: Which, masked: Uint8Array | undefined): void => {
    if (masked?.length) callLog.appendBody(call.id, which, masked);
  };
  return {
    call,
    /** Records a body that is already complete. */
    whole(which: Which, bytes: Uint8Array) {
      call[`${which}Bytes`] += bytes.length;
      append(which, secrets.maskBytes(bytes));
    },
    /** Records a chunk of a streamed body. */
    piece(which: Which, chunk: Uint8Array) {
      const mask = passing.get(which) ?? secrets.bodyMask();
      passing.set(which, mask);
      call[`${which}Bytes`] += chunk.length;
      append(which, mask(chunk));
    },
    responded({ status, headers }: Response) {
      call.headMs = Math.round(clock.monotonic() - began);
      call.response = { status, headers: secrets.maskValue([...headers]) };
    },
    noticed: (problem: CallProblem) => addProblem(call, problem),
    finish(outcome: CallOutcome, error?: string) {
      if (call.outcome !== 'running') return;
      for (const [which, mask] of passing) append(which, mask());
      call.outcome = outcome;
      call.durationMs = Math.round(clock.monotonic() - began);
      if (error !== undefined) call.error = secrets.mask(error);
      onFinished();
    },
  };
}

/** `defaulted` and `scriptBytes` are undefined if they are not known. */
export type CallStart = Pick<
  CallRecord,
  'id' | 'source' | 'event' | 'environment' | 'request' | 'cause' | 'missingScope'
> & { [Key in 'defaulted' | 'scriptBytes']: CallRecord[Key] | undefined };

function firstCall(
  call: CallStart,
  time: number,
  { secrets, version }: Pick<RecorderDeps, 'secrets' | 'version'>,
): CallRecord {
  const { id, source, environment, defaulted, cause, missingScope, scriptBytes } = call;
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
  };
}

const maxProblems = 100;

/** Adds a problem to a call unless the call already has it. */
function addProblem(call: CallRecord, problem: CallProblem): void {
  const problems = (call.problems ??= []);
  if (problems.length < maxProblems && problems.every(({ message }) => message !== problem.message))
    problems.push(problem);
}

const maxEffects = 1000;

/** Adds an effect to a call. Once a queued task has run, replaces the task with the call that ran it. */
function addEffect(call: CallRecord, effect: CallEffect): void {
  const effects = (call.effects ??= []);
  const queued = effects.find(({ type, id }) => type === 'task' && id !== undefined && id === effect.id);
  if (queued) Object.assign(queued, { call: effect.call });
  else if (effects.length < maxEffects) effects.push(effect);
}

const groupMs = 1000;
const most = 100;

function createOutboundRequests({ clock, version }: { clock: Clock; version: () => number }) {
  let current: CallRecord | undefined;
  let last = 0;
  return {
    /** Returns the call record for new reports. Reports that arrive close together share a record. */
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
