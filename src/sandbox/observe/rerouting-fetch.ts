import type { OutboundReroute } from '../script/script-host.js';
import type { ReroutedFetch } from './mapped-fetch.js';

/** Sends some requests to a different URL and leaves all others unchanged. Only requests with a text body are considered. */
export function createReroutingFetch(
  fetch: typeof globalThis.fetch,
  reroutes: readonly OutboundReroute[],
  others: ReroutedFetch = fetch,
): ReroutedFetch {
  return async (input, init, rerouted) => {
    if (reroutes.length === 0) return others(input, init, rerouted);
    const body = await textOf(input, init);
    const reroute = body === undefined ? undefined : reroutes.find(({ marker }) => body.includes(marker));
    if (!reroute) return others(input, init, rerouted);
    const { method, headers, signal } = new Request(input, init);
    return fetch(reroute.url, { method, headers, signal, body: body ?? null });
  };
}

async function textOf(input: string | URL | Request, init: RequestInit = {}): Promise<string | undefined> {
  const request = input instanceof Request ? input : undefined;
  if ((init.method ?? request?.method ?? 'GET').toUpperCase() !== 'POST') return undefined;
  if (typeof init.body === 'string') return init.body;
  if (init.body instanceof URLSearchParams) return init.body.toString();
  if (init.body !== undefined || !request) return undefined;
  const text = /json|x-www-form-urlencoded/.test(request.headers.get('content-type') ?? '');
  return text ? request.clone().text() : undefined;
}
