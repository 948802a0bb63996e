import type { Duplex } from 'node:stream';
import { REHEARSAL, type ResponseHead, type CallHead } from '../wire/call-head.js';
import { createScope, endScope, runInScope } from '../observe/call-scope.js';
import {
  callScript,
  checkScript,
  createBackground,
  type ScriptContext,
  type ScriptModule,
} from '../script/call-script.js';
import { describeAll } from '../observe/describe-error.js';
import type { Exchange, Message } from '../wire/request-exchange.js';
import { createConnection } from '../wire/connection.js';
import type { ScriptBackground } from '../script/script-host.js';
import { writeResponse } from './write-response.js';

export interface ServedScript {
  /** Uses the script's default export, or throws an error that explains the problem. */
  use(defaultExport: unknown): void;
  /** Resolves when all `waitUntil` work is done. */
  drained(): Promise<void>;
}

/** Saved before a script can replace them. */
const { Request, Response } = globalThis;

/** Handles a rehearsal call before a script is loaded, so that the first real call finds warm code. */
const rehearsal: ScriptModule = {
  fetch: async (request) => new Response(await request.arrayBuffer()),
};

const reportError = (...values: unknown[]): void => console.error(describeAll(values));

/** Serves the calls that arrive on a socket. */
export function serveScript(socket: Duplex, report: (entry: ScriptBackground) => void): ServedScript {
  let script: ScriptModule | undefined;
  const background = createBackground(reportError);

  const handle = async (
    callee: ScriptModule,
    context: ScriptContext,
    call: Message<CallHead>,
    exchange: Exchange<ResponseHead>,
  ): Promise<void> => {
    const request = toRequest(call);
    // Stack traces then begin with the author's own code.
    await Promise.resolve();
    const response = await callScript({ script: callee, request, context, reportError });
    try {
      await writeResponse(response, exchange, { headOnly: call.head.method === 'HEAD' });
    } catch (error) {
      reportError('The response body failed:', error);
      exchange.abort(new Error('The response was cut short.'));
    }
  };

  const serve = async (call: Message<CallHead>, exchange: Exchange<ResponseHead>): Promise<void> => {
    const { id } = call.head;
    const callee = id === REHEARSAL ? rehearsal : script;
    if (!callee) throw new Error('No script is loaded.');
    const scope = createScope(id);
    const { context, settled } = background.context((number, span) =>
      report({ callId: id, number, ...span }),
    );
    await runInScope(scope, () => handle(callee, context, call, exchange));
    await settled();
    endScope(scope);
  };

  createConnection<ResponseHead, CallHead>(socket, {
    accept: (exchange, call) => void serve(call, exchange).catch(exchange.abort),
  });

  return {
    use(defaultExport) {
      script = checkScript(defaultExport);
    },
    drained: background.settled,
  };
}

/** Node requires this option for a streamed body, but the web types do not have it. */
const half = { duplex: 'half' } as RequestInit;

function toRequest({ head: { method, url, headers }, body }: Message<CallHead>): Request {
  if (method === 'GET' || method === 'HEAD') return new Request(url, { method, headers });
  return new Request(url, { method, headers, body, ...half });
}
