import process from 'node:process';
import { captureConsole } from '../observe/capture-console.js';
import { currentScope, type CallScope } from '../observe/call-scope.js';
import { LONGEST_SENT, type ControlChannel, type Report } from '../wire/control-channel.js';
import { createCallNamingFetch } from '../observe/name-call.js';
import { describeError } from '../observe/describe-error.js';
import { createRecordingFetch } from '../observe/recording-fetch.js';
import { createReroutingFetch } from '../observe/rerouting-fetch.js';
import type { OutboundRules, ScriptLog, ScriptOutbound } from '../script-host.js';
import { createLineRateLimit, droppedNotice, type LineRateLimit } from '../observe/line-rate-limit.js';

/** If more is waiting to be sent, the platform is behind: lines are counted instead of sent. */
const PENDING_BYTES = 1024 * 1024;

/** Sends console output, uncaught errors and outbound requests of the script to the platform. */
export function observeScript(channel: ControlChannel<Report>, outbound: () => OutboundRules): void {
  const budgets = new WeakMap<CallScope, LineRateLimit>();
  const background = createLineRateLimit({ refillPerSecond: 100, now: () => performance.now() });

  const send = (callId: string | undefined, level: ScriptLog['level'], text: string): void => {
    channel.send({
      type: 'log',
      entry: { callId, level, text: text.slice(0, LONGEST_SENT), time: Date.now() },
    });
  };

  const budgetOf = (scope: CallScope): LineRateLimit => {
    const known = budgets.get(scope);
    if (known) return known;
    const budget = createLineRateLimit({ refillPerSecond: 0, now: () => performance.now() });
    budgets.set(scope, budget);
    scope.onEnd.add(() => {
      const dropped = budget.dropped();
      if (dropped > 0) send(scope.id, 'warn', droppedNotice(dropped));
    });
    return budget;
  };

  const log = (level: ScriptLog['level'], text: string): void => {
    const scope = currentScope();
    const budget = scope ? budgetOf(scope) : background;
    const before = budget.dropped();
    if (!budget.take(text.length, channel.pending() < PENDING_BYTES)) return;
    if (before > 0) send(scope?.id, 'warn', droppedNotice(before));
    send(scope?.id, level, text);
  };

  captureConsole(console, { take: log });

  const sendable = ({ exchange, ...entry }: ScriptOutbound): ScriptOutbound => ({
    ...entry,
    url: entry.url.slice(0, LONGEST_SENT),
    ...(entry.error !== undefined && { error: entry.error.slice(0, LONGEST_SENT) }),
    ...(exchange && channel.pending() < PENDING_BYTES && { exchange }),
  });

  const recordingFetch = createRecordingFetch({
    fetch: createReroutingFetch(
      createCallNamingFetch(globalThis.fetch, () => outbound().api),
      () => outbound().reroutes,
    ),
    record: (entry) => channel.send({ type: 'outbound', entry: sendable(entry) }),
    now: Date.now,
    details: () => outbound().details && channel.pending() < PENDING_BYTES,
  });

  const warned = new WeakSet<CallScope>();
  globalThis.fetch = async (input, init) => {
    const scope = currentScope();
    try {
      return await recordingFetch(input, init);
    } finally {
      if (scope?.ended && !warned.has(scope)) {
        warned.add(scope);
        log('warn', continued(input instanceof Request ? input.url : String(input)));
      }
    }
  };

  process.on('unhandledRejection', (error) =>
    log('error', `Unhandled promise rejection: ${describeError(error)}`),
  );
  process.on('uncaughtException', (error) => log('error', `Uncaught error: ${describeError(error)}`));
}

/** Node finishes this work, so the author would only notice in production. */
const continued = (url: string): string =>
  `The request to ${url} continued after the response without waitUntil(). Production cancels it: pass its promise to waitUntil().`;
