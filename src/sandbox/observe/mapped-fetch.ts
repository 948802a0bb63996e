import {
  BLOCKED,
  describeDouble,
  doubleOf,
  portOf,
  type OutboundDouble,
} from '../../protocol/outbound-map.js';
import type { RequestParts, ScriptOutboundMap } from '../script/script-host.js';
import { LONGEST_DISGUISED } from './disguise-request.js';

/** A `fetch` that also reports which host responded, if it was not the requested host. */
export type ReroutedFetch = (
  input: string | URL | Request,
  init?: RequestInit,
  rerouted?: (to: string) => void,
) => Promise<Response>;

interface Mapping {
  fetch: typeof globalThis.fetch;
  /** If undefined, all requests go to the requested host. */
  map: ScriptOutboundMap | undefined;
  /** Replaces the secrets in a request. */
  disguise(parts: RequestParts): Promise<RequestParts> | RequestParts;
  /** Whether this `fetch` follows redirects itself. If false, each redirect arrives here as a separate request. */
  followsRedirects: boolean;
}

const MAX_REDIRECTS = 20;

/** Saved before a script can replace these functions. */
const { Request, Response, Headers, setTimeout, clearTimeout } = globalThis;

/**
 * Sends requests to the targets set by `outbound` in platform.dev.yaml. Follows redirects itself, so that the mapping
 * applies to each one.
 */
export function createMappedFetch({ fetch, map, disguise, followsRedirects }: Mapping): ReroutedFetch {
  if (!map) return (input, init) => fetch(input, init);
  return async (input, init, rerouted = () => {}) => {
    const { redirect, ...first } = await readRequest(input, init);
    let sent: Sent = first;
    for (let hops = 0; ; hops += 1) {
      const response = await sendMapped({ fetch, map, disguise }, sent, rerouted);
      const location = redirect === 'manual' ? null : redirectOf(response);
      if (location === null) return arrivedAt(sent.url, hops > 0, response);
      if (redirect === 'error') throw failed('unexpected redirect');
      const next = new URL(location, sent.url);
      checkRedirect(sent.url, next);
      if (!followsRedirects) return response;
      if (hops === MAX_REDIRECTS) throw failed('redirect count exceeded');
      void response.body?.cancel();
      sent = redirected(sent, next, response.status);
    }
  };
}

/** A request as sent to one URL in a chain of redirects. */
interface Sent {
  url: URL;
  method: string;
  headers: Headers;
  /** A stream can be sent only once. */
  body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | undefined;
  /** The other options that the script passed to `fetch`. */
  init: RequestInit;
}

async function readRequest(
  input: string | URL | Request,
  init: RequestInit | undefined,
): Promise<Sent & { redirect: RequestRedirect }> {
  const request = new Request(input, init);
  const { url, method, headers, redirect, signal } = request;
  const given: unknown = init?.body;
  const isStream = typeof given === 'object' && given !== null && Symbol.asyncIterator in given;
  const body = request.body && (isStream ? request.body : new Uint8Array(await request.arrayBuffer()));
  return { url: new URL(url), method, headers, redirect, body: body ?? undefined, init: { ...init, signal } };
}

const initOf = ({ method, headers, body, init }: Sent): RequestInit => ({
  ...init,
  method,
  headers,
  body: body ?? null,
  redirect: 'manual',
  ...(body instanceof ReadableStream && { duplex: 'half' }),
});

async function sendMapped(
  { fetch, map, disguise }: Pick<Mapping, 'fetch' | 'disguise'> & { map: ScriptOutboundMap },
  sent: Sent,
  rerouted: (to: string) => void,
): Promise<Response> {
  const { url, init } = sent;
  if (map.spared.includes(url.origin)) return fetch(url.href, initOf(sent));
  const double = doubleOf(map, url.hostname, portOf(url));
  if (!double && map.rest === 'pass') return fetch(url.href, initOf(sent));
  rerouted(double ? describeDouble(double) : 'refused');
  if (!double) throw new TypeError(`${BLOCKED}: ${url.host}`);
  if (double.delayMs !== undefined) await wait(double.delayMs, init.signal);
  const { to } = double;
  if (to === undefined) return new Response(null, { status: double.status ?? 200 });
  const { url: target, ...request } = await toDouble(sent, double, to, disguise);
  const response = await fetch(target, { ...initOf(sent), ...request });
  return withOwnLocation(response, to, url.origin);
}

/** The request as it is sent to a test double. */
async function toDouble(
  { url, headers, body }: Sent,
  { credentials }: OutboundDouble,
  to: string,
  disguise: Mapping['disguise'],
): Promise<{ url: string; headers: [string, string][]; body: BodyInit | null }> {
  const bytes = body && new Uint8Array(await new Response(body).arrayBuffer());
  const passed = [...headers].filter(([name]) => name !== 'host' && !name.startsWith('x-forwarded-'));
  const forwarded: [string, string][] = [
    ['x-forwarded-host', url.host],
    ['x-forwarded-proto', url.protocol.slice(0, -1)],
  ];
  const path = `${url.pathname}${url.search}`;
  if (credentials === 'real')
    return { url: `${to}${path}`, headers: [...passed, ...forwarded], body: bytes ?? null };
  if (bytes && bytes.length > LONGEST_DISGUISED) throw failed(tooLong(url.host));
  const made = await disguise({
    url: path,
    headers: passed,
    ...(bytes && { body: Buffer.from(bytes).toString('base64') }),
  });
  return {
    url: `${to}${made.url}`,
    headers: [...made.headers, ...forwarded],
    body: made.body === undefined ? null : Buffer.from(made.body, 'base64'),
  };
}

const tooLong = (host: string): string =>
  `a request body sent to the test double for ${host} exceeds 512 KiB. Set credentials: real in platform.dev.yaml`;

/**
 * If a test double redirects to its own address, the redirect is rewritten to point to the host that the test double
 * replaces.
 */
function withOwnLocation(response: Response, to: string, origin: string): Response {
  const location = response.headers.get('location');
  if (location === null || !URL.canParse(location)) return response;
  const { origin: there, pathname, search, hash } = new URL(location);
  if (there !== new URL(to).origin) return response;
  const headers = new Headers(response.headers);
  headers.set('location', `${origin}${pathname}${search}${hash}`);
  const { status, statusText } = response;
  return new Response(response.body, { status, statusText, headers });
}

const redirectOf = ({ status, headers }: Response): string | null =>
  [301, 302, 303, 307, 308].includes(status) ? headers.get('location') : null;

/** Credentials sent over an encrypted connection must not be sent to another host in plain text. */
function checkRedirect(from: URL, to: URL): void {
  if (to.protocol !== 'http:' && to.protocol !== 'https:')
    throw failed('the URL of a redirect must be HTTP(S)');
  if (from.protocol === 'https:' && to.protocol === 'http:' && from.hostname !== to.hostname)
    throw failed(`a redirect from ${from.origin} to ${to.origin} would be unencrypted`);
}

/** Returns the next request after a redirect, as defined by the Fetch standard. */
function redirected(sent: Sent, url: URL, status: number): Sent {
  const { method, body } = sent;
  const headers = new Headers(sent.headers);
  if (!url.hash) url.hash = sent.url.hash;
  if (url.origin !== sent.url.origin)
    for (const name of ['authorization', 'proxy-authorization', 'cookie', 'host']) headers.delete(name);
  const dropsBody =
    status === 303 ? method !== 'GET' && method !== 'HEAD' : status < 303 && method === 'POST';
  if (!dropsBody) {
    if (body instanceof ReadableStream) throw failed('a streamed body cannot be sent again after a redirect');
    return { ...sent, url, headers };
  }
  for (const name of ['encoding', 'language', 'location', 'type', 'length'])
    headers.delete(`content-${name}`);
  return { ...sent, url, headers, method: 'GET', body: undefined };
}

/** Sets the response's URL to the requested one instead of the test double's. */
function arrivedAt({ href, hash }: URL, isRedirected: boolean, response: Response): Response {
  const url = hash ? href.slice(0, -hash.length) : href;
  Object.defineProperty(response, 'url', { value: url, configurable: true });
  if (isRedirected) Object.defineProperty(response, 'redirected', { value: true, configurable: true });
  return response;
}

const failed = (why: string): TypeError => new TypeError('fetch failed', { cause: new Error(why) });

const wait = (ms: number, signal: AbortSignal | null | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
