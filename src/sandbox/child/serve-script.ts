import { existsSync, readFileSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { REHEARSAL, type ResponseHead, type CallHead } from '../wire/call-head.js';
import { createScope, endScope, runInScope } from '../observe/call-scope.js';
import {
  callScript,
  checkScript,
  createBackground,
  type ScriptContext,
  type ScriptModule,
} from '../script/call-script.js';
import { moveDate } from '../script/replace-date.js';
import { describeAll } from '../observe/describe-error.js';
import type { Exchange, Message } from '../wire/request-exchange.js';
import { createConnection } from '../wire/connection.js';
import type { ScriptBackground } from '../script/script-host.js';
import { writeResponse } from './write-response.js';

/** Saved before a script can replace these functions. */
const { Request, Response } = globalThis;

/** Handles a warm-up call before a script is loaded, so that the first real call is fast. */
const rehearsal: ScriptModule = { fetch: async (request) => new Response(await request.arrayBuffer()) };

const reportError = (...values: unknown[]): void => console.error(describeAll(values));

/** Serves the calls that arrive on a socket. */
export function serveScript(socket: Duplex, report: (entry: ScriptBackground) => void) {
  let script: ScriptModule | undefined;
  let placeOf: ScriptContext['placeOf'];
  const heap = createHeap();
  const background = createBackground(reportError);

  const handle = async (
    callee: ScriptModule,
    context: ScriptContext,
    call: Message<CallHead>,
    exchange: Exchange<ResponseHead>,
  ): Promise<void> => {
    const request = toRequest(call);
    // Makes stack traces start with the author's own code.
    await Promise.resolve();
    const response = await callScript({ script: callee, request, context, reportError });
    await writeResponse(response, exchange, {
      headOnly: call.head.method === 'HEAD',
      memory: callee === rehearsal ? undefined : heap.memory(),
      reportError,
    });
  };

  const serve = async (call: Message<CallHead>, exchange: Exchange<ResponseHead>): Promise<void> => {
    const { id } = call.head;
    const callee = id === REHEARSAL ? rehearsal : script;
    if (!callee) throw new Error('No script is loaded.');
    moveDate(call.head.ahead);
    const scope = createScope(id);
    const { context, settled } = background.context((number, span) =>
      report({ callId: id, number, ...span }),
    );
    const withPlaces = placeOf ? { ...context, placeOf } : context;
    await runInScope(scope, () => handle(callee, withPlaces, call, exchange));
    await settled();
    // The script may not have been loaded yet.
    const growth = callee === rehearsal ? undefined : heap.growth();
    if (growth !== undefined) runInScope(scope, () => reportError(growth));
    endScope(scope);
  };

  createConnection<ResponseHead, CallHead>(socket, {
    accept: (exchange, call) => void serve(call, exchange).catch(exchange.abort),
  });

  return {
    /** Returns the default export of a script file. Throws an error that explains why if the export cannot be used. */
    use(defaultExport: unknown, file: string) {
      script = checkScript(defaultExport);
      placeOf = createPlaces(file);
    },
    /** Resolves when all `waitUntil` work is done. */
    drained: background.settled,
  };
}

const MEGABYTE = 1024 * 1024;
/**
 * Memory growth is reported once the heap has grown by this much since the first call, and again each time the growth
 * doubles.
 */
const GROWTH_BYTES = 64 * MEGABYTE;

function createHeap() {
  let first: number | undefined;
  let next = GROWTH_BYTES;
  let collect: (() => void) | undefined;
  const used = (): number => {
    const { used_heap_size: heap, external_memory: outside } = getHeapStatistics();
    return heap + outside;
  };
  return {
    memory() {
      const bytes = used();
      return { bytes, ...(first !== undefined && { grown: bytes - first }) };
    },
    /** Describes how much more memory the script retains than after its first call, if the difference is large. */
    growth() {
      first ??= used();
      if (used() - first < next) return undefined;
      // Measures how much memory is still in use after a garbage collection. Runs rarely, because it takes as long as
      // a slow call.
      setFlagsFromString('--expose-gc');
      collect ??= runInNewContext('gc') as () => void;
      collect();
      // The memory of an unused array buffer, such as a body that was read, is counted until a second collection.
      collect();
      const now = used();
      if (now - first < next) return undefined;
      while (now - first >= next) next *= 2;
      const [grown, size] = [now - first, now].map((bytes) => Math.round(bytes / MEGABYTE));
      return `The script retains ${grown} MB more than after its first call, ${size} MB in total. Look for data that it keeps between calls, such as a Map that only grows.`;
    },
  };
}

/** Uses the inspector to find where a function is defined in the script, because V8 reveals positions only to a debugger. */
const createPlaces =
  (file: string): NonNullable<ScriptContext['placeOf']> =>
  (handler) => {
    // The file of a build that has been replaced is already deleted.
    if (typeof handler !== 'function' || !existsSync(file)) return undefined;
    const source = readFileSync(file, 'utf8');
    const text = Function.prototype.toString.call(handler);
    const start = source.indexOf(text);
    if (start === -1 || source.includes(text, start + 1)) return undefined;
    const lines = source.slice(0, start).split('\n');
    const name = handler.name || 'handler';
    return `\n    at ${name} (${pathToFileURL(file).href}:${lines.length}:${(lines.at(-1)?.length ?? 0) + 1})`;
  };

/** Node requires this option for streamed bodies, but the web types do not include it. */
const half = { duplex: 'half' } as RequestInit;

function toRequest({ head: { method, url, headers }, body }: Message<CallHead>): Request {
  if (method === 'GET' || method === 'HEAD') return new Request(url, { method, headers });
  return new Request(url, { method, headers, body, ...half });
}
