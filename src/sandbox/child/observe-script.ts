import { Socket } from 'node:net';
import process from 'node:process';
import { captureConsole } from '../observe/capture-console.js';
import { currentScope, type CallScope } from '../observe/call-scope.js';
import { LONGEST_SENT, type ControlChannel, type Report } from '../wire/control-channel.js';
import { createCallNamingFetch } from '../observe/name-call.js';
import { describeError } from '../observe/describe-error.js';
import { noticeStandIns } from '../observe/notice-stand-ins.js';
import { refusedRequest } from '../observe/refused-request.js';
import { createRecordingFetch } from '../observe/recording-fetch.js';
import { createReroutingFetch } from '../observe/rerouting-fetch.js';
import { createMappedFetch } from '../observe/mapped-fetch.js';
import { doubleOf } from '../../protocol/outbound-map.js';
import type {
  OutboundRules,
  RequestParts,
  ScriptLog,
  ScriptOutbound,
  ScriptOutboundMap,
} from '../script/script-host.js';
import { createLineRateLimit, droppedNotice, type LineRateLimit } from '../observe/line-rate-limit.js';

/**
 * If more data than this is waiting to be sent, the platform is falling behind, and lines are counted instead of
 * sent. The recorded bodies of a single call always stay below this limit.
 */
const PENDING_BYTES = 16 * 1024 * 1024;

const LONGEST_STACK = 4096;

/** Sends the script's console output, uncaught errors and outbound requests to the platform. */
export function observeScript(
  channel: ControlChannel<Report>,
  disguise: (parts: RequestParts) => Promise<RequestParts>,
) {
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
  noticeStandIns((text) => log('warn', text));

  const sendable = ({ exchange, ...entry }: ScriptOutbound): ScriptOutbound => ({
    ...entry,
    url: entry.url.slice(0, LONGEST_SENT),
    ...(entry.stack !== undefined && { stack: entry.stack.slice(0, LONGEST_STACK) }),
    ...(entry.error !== undefined && { error: entry.error.slice(0, LONGEST_SENT) }),
    ...(entry.finalUrl !== undefined && { finalUrl: entry.finalUrl.slice(0, LONGEST_SENT) }),
    ...(exchange && channel.pending() < PENDING_BYTES && { exchange }),
  });

  const { fetch } = globalThis;
  let observedFetch = fetch;
  const warned = new WeakSet<CallScope>();
  const reporting = new Set<Promise<void>>();
  // Replaced here instead of in `observeFetch`, where it would make each reload a millisecond slower.
  globalThis.fetch = async (input, init) => {
    const scope = currentScope();
    try {
      return await observedFetch(input, init);
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

  return {
    /** Applies these rules to all later outbound requests. Must be called before the script loads. */
    observeFetch({ only, own, reroutes, details, map }: OutboundRules) {
      const allows = connectionRule(only, map);
      if (allows) refuseConnections(allows, (entry) => channel.send({ type: 'outbound', entry }));
      const named = createCallNamingFetch(fetch, own);
      const mapped = createMappedFetch({ fetch: named, map, disguise, followsRedirects: true });
      observedFetch = createRecordingFetch({
        fetch: createReroutingFetch(named, reroutes, mapped),
        record: (entry) => channel.send({ type: 'outbound', entry: sendable(entry) }),
        now: Date.now,
        details: () => details && channel.pending() < PENDING_BYTES,
        traced: true,
        rest: {
          of: 'unread',
          keep(work) {
            reporting.add(work);
            void work.then(() => reporting.delete(work));
          },
        },
      });
    },
    /** Resolves when all outbound requests of finished calls have been reported. */
    reported: async () => void (await Promise.all(reporting)),
  };
}

/**
 * Node completes a request that is still running after the response, but production cancels it. This warning shows
 * the author the problem before it occurs in production.
 */
const continued = (url: string): string =>
  `The request to ${url} continued after the response without waitUntil(). Production would cancel it. Pass its promise to waitUntil().`;

/**
 * The target of a connection. `fetch`, `WebSocket` and `EventSource` pass it either as an object or as the first item of a
 * list.
 */
interface Target {
  host?: string;
  port?: number | string;
  path?: string;
}

type ConnectionRule = (host: string, port: number) => boolean;

/** Returns the hosts that the process may connect to, or undefined if all hosts are allowed. */
function connectionRule(
  only: string | undefined,
  map: ScriptOutboundMap | undefined,
): ConnectionRule | undefined {
  const among = (origins: readonly string[], host: string, port: number): boolean =>
    origins.some((origin) => {
      const allowed = new URL(origin);
      const defaultPort = allowed.protocol === 'https:' ? 443 : 80;
      return (
        host === allowed.hostname.replaceAll(/[[\]]/g, '') && port === (Number(allowed.port) || defaultPort)
      );
    });
  if (only !== undefined) return (host, port) => among([only], host, port);
  if (!map) return undefined;
  const doubles = Object.values(map.hosts).flatMap(({ to }) => to ?? []);
  const open = [...map.spared, ...doubles];
  return (host, port) =>
    among(open, host, port) || (map.rest === 'pass' && doubleOf(map, host, port) === undefined);
}

/**
 * Restricts this process to connections to certain hosts. All network access goes through the method replaced here,
 * including every redirect that `fetch` follows. Blocks a disallowed host before its name is looked up.
 */
function refuseConnections(allows: ConnectionRule, record: (entry: ScriptOutbound) => void): void {
  const { connect } = Socket.prototype as unknown as { connect(this: Socket, ...args: unknown[]): Socket };
  Socket.prototype.connect = function (this: Socket, ...args: unknown[]): Socket {
    const [first] = args;
    const { host = '', port = '', path } = (Array.isArray(first) ? first[0] : first) as Target;
    if (path == null && allows(host, Number(port))) return Reflect.apply(connect, this, args);
    const shown = ['80', '443'].includes(String(port)) ? host : `${host}:${port}`;
    const { error, entry } = refusedRequest(shown, 'CONNECT');
    record(entry);
    return this.destroy(error);
  };
}
