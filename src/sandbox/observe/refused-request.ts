import type { ScriptOutbound } from '../script/script-host.js';
import { currentScope, nextRequest } from './call-scope.js';

/** Creates the error and the report for a request to a host that the rules do not allow. */
export function refusedRequest(host: string, method: string): { error: TypeError; entry: ScriptOutbound } {
  const error = new TypeError(`outbound requests are blocked: ${host}`);
  const entry: ScriptOutbound = {
    callId: currentScope()?.id,
    number: nextRequest(currentScope()),
    method,
    url: `//${host}`,
    status: 0,
    error: error.message,
    refused: host,
    durationMs: 0,
    requestBytes: 0,
    responseBytes: 0,
    time: Date.now(),
  };
  return { error, entry };
}
