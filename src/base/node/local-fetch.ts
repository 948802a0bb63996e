import { Readable } from 'node:stream';

/**
 * Like `fetch`, but follows no redirects and ignores proxies, which the environment can set for `fetch` and for Node's default
 * agent. A proxy must not receive the key.
 */
export async function localFetch(
  url: string,
  { method = 'GET', headers = {}, body, signal }: LocalRequest = {},
): Promise<Response> {
  // Loaded here, because most commands send no request.
  const { request } = await import('node:http');
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false, ...(signal && { signal }) }, (response) => {
      const { statusCode: status = 500, headers: received } = response;
      const hasBody = method !== 'HEAD' && status !== 204 && status !== 304;
      if (!hasBody) response.resume();
      resolve(
        new Response(hasBody ? (Readable.toWeb(response) as ReadableStream<Uint8Array>) : null, {
          status,
          headers: { 'Content-Type': received['content-type'] ?? '' },
        }),
      );
    });
    sent.on('error', (error) => reject(signal?.aborted ? (signal.reason as Error) : error));
    sent.end(body);
  });
}

export interface LocalRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  signal?: AbortSignal;
}
