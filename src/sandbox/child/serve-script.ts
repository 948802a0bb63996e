import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { CALL_HEADER, REHEARSAL } from '../call-header.js';
import { createScope, endScope, runInScope } from '../call-scope.js';
import {
  callScript,
  createBackground,
  isScript,
  type ScriptContext,
  type ScriptModule,
} from '../call-script.js';
import { describeError } from '../describe-error.js';
import { toRequest } from './to-request.js';
import { writeResponse } from './write-response.js';

export interface ServedScript {
  listening: Promise<void>;
  /** Takes the script's default export, or throws with what is wrong with it. */
  use(defaultExport: unknown): void;
  /** Resolves when all `waitUntil` work is done. */
  drained(): Promise<void>;
}

/** Answers before there is a script, so that the first real call finds everything warm. */
const rehearsal: ScriptModule = {
  fetch: async (request) => new Response(await request.arrayBuffer()),
};

const complain = (text: string): void => console.error(text);

const unlimited = { keepAliveTimeout: 0, requestTimeout: 0, headersTimeout: 0, maxHeaderSize: 256 * 1024 };

export function serveScript(address: string): ServedScript {
  let script: ScriptModule | undefined;
  const background = createBackground(complain);

  const answer = async (
    callee: ScriptModule,
    context: ScriptContext,
    incoming: IncomingMessage,
    outgoing: ServerResponse,
  ): Promise<void> => {
    const request = await toRequest(incoming);
    const response = await callScript({ script: callee, request, context, complain });
    try {
      await writeResponse(response, outgoing);
    } catch (error) {
      complain(`The body of the answer broke: ${describeError(error)}`);
      outgoing.destroy();
    }
  };

  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const callId = String(incoming.headers[CALL_HEADER]);
    const callee = callId === REHEARSAL ? rehearsal : script;
    if (!callee) throw new Error('No script is loaded.');
    const scope = createScope(callId);
    const { context, settled } = background.context();
    await runInScope(scope, () => answer(callee, context, incoming, outgoing));
    await settled();
    endScope(scope);
  };

  const server = createServer(unlimited, (incoming, outgoing) => {
    serve(incoming, outgoing).catch(() => outgoing.destroy());
  });

  return {
    listening: new Promise((resolve, reject) => {
      server.once('error', reject).listen({ path: address, backlog: 1024 }, resolve);
    }),
    use(defaultExport) {
      if (!isScript(defaultExport)) {
        throw new TypeError(
          'The script has no default export with a `fetch` method: end it with `export default createIntegration({ … })`.',
        );
      }
      script = defaultExport;
    },
    drained: background.settled,
  };
}
