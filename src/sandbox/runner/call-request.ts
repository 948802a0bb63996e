import { encodeEnvelope } from '../../protocol/envelope/encode-envelope.js';
import type { ScriptCall } from '../script/script-host.js';
import type { CallHead } from '../wire/call-head.js';
import { connectionHeaders, type CallRequest } from '../wire/send-call.js';

/** Packs a call into the multipart request that the script receives. */
export function envelopeRequest({ id, event, environment, body, signal }: ScriptCall): CallRequest {
  const envelope = encodeEnvelope({ event, environment, ...(body && { body }) });
  const headers: CallHead['headers'] = [
    ['host', 'localhost'],
    ['content-type', envelope.contentType],
  ];
  if (envelope.contentLength !== undefined) {
    headers.push(['content-length', String(envelope.contentLength)]);
  }
  return { id, method: 'POST', url: 'http://localhost/v1', headers, body: envelope.body, signal };
}

/** Forwards a hand-written multipart request without changing it. */
export function rawRequest(id: string, request: Request): CallRequest {
  const { pathname, search, host } = new URL(request.url);
  const headers: CallHead['headers'] = [['host', host]];
  for (const [name, value] of request.headers) if (!isReplaced(name)) headers.push([name, value]);
  return {
    id,
    method: request.method,
    url: `http://${host}${pathname}${search}`,
    headers,
    body: request.body ?? undefined,
    signal: request.signal,
  };
}

/** Headers that are always set for the request to the script. */
const isReplaced = (name: string): boolean =>
  name === 'host' || name === 'expect' || connectionHeaders.has(name);
