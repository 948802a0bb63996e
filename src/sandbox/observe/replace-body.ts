/** Returns the response with a different body. Like the original, the new response is read-only and has the same URL. */
export function withBody(from: Response, body: ReadableStream<Uint8Array>): Response {
  const { status, statusText, url, redirected, type } = from;
  const headers = readableHeaders(from.headers);
  return decorate(new Response(body, { status, statusText, headers }), { headers, url, redirected, type });
}

type Origin = Pick<Response, 'headers' | 'url' | 'redirected' | 'type'>;

function decorate(response: Response, origin: Origin): Response {
  const clone = (): Response => decorate(Response.prototype.clone.call(response), origin);
  for (const [key, value] of Object.entries({ ...origin, clone })) {
    Object.defineProperty(response, key, { value, configurable: true });
  }
  return response;
}

/**
 * Node returns a decoded body together with the headers of the encoded one. Those headers would be wrong if the
 * response were passed on.
 */
function readableHeaders(from: Headers): Headers {
  if (!from.has('content-encoding')) return from;
  const headers = new Headers(from);
  headers.delete('content-encoding');
  headers.delete('content-length');
  const refuse = (): never => {
    throw new TypeError('immutable');
  };
  return Object.assign(headers, { append: refuse, delete: refuse, set: refuse });
}
