import type { CallHead } from '../wire/call-head.js';
import type { Message } from '../wire/request-exchange.js';

/** Node wants it said for a body that streams; the web's types do not know it. */
const half = { duplex: 'half' } as RequestInit;

export function toRequest({ head: { method, url, headers }, body }: Message<CallHead>): Request {
  if (method === 'GET' || method === 'HEAD') return new Request(url, { method, headers });
  return new Request(url, { method, headers, body, ...half });
}
