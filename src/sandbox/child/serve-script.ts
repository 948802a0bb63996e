import type { Duplex } from 'node:stream';
import { REHEARSAL, type AnswerHead, type CallHead } from '../wire/call-head.js';
import { createScope, endScope, runInScope } from '../observe/call-scope.js';
import {
  callScript,
  checkScript,
  createBackground,
  type ScriptContext,
  type ScriptModule,
} from '../call-script.js';
import { describeAll } from '../observe/describe-error.js';
import type { Exchange, Message } from '../wire/request-exchange.js';
import { createConnection } from '../wire/connection.js';
import type { ScriptBackground } from '../script-host.js';
import { writeResponse } from './write-response.js';

export interface ServedScript {
  /** Takes the script's default export, or throws with what is wrong with it. */
  use(defaultExport: unknown): void;
  /** Resolves when all `waitUntil` work is done. */
  drained(): Promise<void>;
}

/** Taken before a script can replace them. */
const { Request, Response } = globalThis;

/** Answers before there is a script, so that the first real call finds everything warm. */
const rehearsal: ScriptModule = {
  fetch: async (request) => new Response(await request.arrayBuffer()),
};

const complain = (...values: unknown[]): void => console.error(describeAll(values));

/** Answers the calls that come over a socket. */
export function serveScript(socket: Duplex, report: (entry: ScriptBackground) => void): ServedScript {
  let script: ScriptModule | undefined;
  const background = createBackground(complain);

  const answer = async (
    callee: ScriptModule,
    context: ScriptContext,
    call: Message<CallHead>,
    exchange: Exchange<AnswerHead>,
  ): Promise<void> => {
    const request = toRequest(call);
    // The author's stack traces begin with his own code.
    await Promise.resolve();
    const response = await callScript({ script: callee, request, context, complain });
    try {
      await writeResponse(response, exchange, { headOnly: call.head.method === 'HEAD' });
    } catch (error) {
      complain('The body of the answer broke:', error);
      exchange.abort(new Error('The answer was cut short.'));
    }
  };

  const serve = async (call: Message<CallHead>, exchange: Exchange<AnswerHead>): Promise<void> => {
    const { id } = call.head;
    const callee = id === REHEARSAL ? rehearsal : script;
    if (!callee) throw new Error('No script is loaded.');
    const scope = createScope(id);
    const { context, settled } = background.context((number, span) =>
      report({ callId: id, number, ...span }),
    );
    await runInScope(scope, () => answer(callee, context, call, exchange));
    await settled();
    endScope(scope);
  };

  createConnection<AnswerHead, CallHead>(socket, {
    accept: (exchange, call) => void serve(call, exchange).catch(exchange.abort),
  });

  return {
    use(defaultExport) {
      script = checkScript(defaultExport);
    },
    drained: background.settled,
  };
}

/** Node wants it said for a body that streams; the web's types do not know it. */
const half = { duplex: 'half' } as RequestInit;

function toRequest({ head: { method, url, headers }, body }: Message<CallHead>): Request {
  if (method === 'GET' || method === 'HEAD') return new Request(url, { method, headers });
  return new Request(url, { method, headers, body, ...half });
}
