import { joinBytes } from '../../base/join-bytes.js';
import type { Deadlines } from '../../base/deadlines.js';
import type { AttemptResult, SentRequest, NetworkErrorKind } from '../model/delivery.js';
import { errorCauses, innermostMessage } from '../../base/text/innermost-error.js';

export interface WebhookRequest extends SentRequest {
  body: Uint8Array;
}

/**
 * The part of `fetch` that deliveries need. Node's own `fetch` retries a request after a 421 response and
 * never returns a 407 response.
 */
export type WebhookFetch = (
  url: string,
  init: {
    method: 'GET' | 'POST';
    headers: Record<string, string>;
    body?: Uint8Array<ArrayBuffer>;
    redirect: 'manual';
    signal: AbortSignal;
  },
  /** The endpoint that the request is for. `fetch` ignores it. */
  endpointId?: string,
) => Promise<{
  status: number;
  body: AsyncIterable<Uint8Array> | null;
  /** If this is missing, `Retry-After` is ignored. */
  headers?: { get(name: string): string | null };
}>;

export interface SenderOptions {
  fetch: WebhookFetch;
  /** The time limit for a complete response. */
  timeouts: Deadlines;
}

export type KnownResult = Exclude<AttemptResult, { kind: 'interrupted' }>;

export const mostRead = 64 * 1024;
export const mostKept = 4 * 1024;

/** Reads the beginning of the response body. Throws if the response ends early. */
export async function readStart(body: AsyncIterable<Uint8Array> | null): Promise<Uint8Array> {
  if (!body) return new Uint8Array();
  const pieces: Uint8Array[] = [];
  const reader = body[Symbol.asyncIterator]();
  let size = 0;
  while (size < mostRead) {
    const { value, done } = await reader.next();
    if (done) return firstBytes(pieces);
    if (size < mostKept) pieces.push(value);
    size += value.byteLength;
  }
  reader.return?.().catch(() => undefined);
  return firstBytes(pieces);
}

/**
 * Sends one signed POST request. Never throws, because failures are returned as results too. Passes the `Retry-After`
 * header of a 429 or 503 response to `onRetryAfter`.
 */
export async function sendRequest(
  { url, headers, body }: WebhookRequest,
  { fetch, timeouts }: SenderOptions,
  onRetryAfter?: (value: string) => void,
): Promise<KnownResult> {
  const timeout = new AbortController();
  const inTime = timeouts.start(() => timeout.abort());
  let status: number | undefined;
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body: body as Uint8Array<ArrayBuffer>,
      redirect: 'manual',
      signal: timeout.signal,
    });
    status = response.status;
    const retryAfter = response.headers?.get('retry-after');
    if (retryAfter && (status === 429 || status === 503)) onRetryAfter?.(retryAfter);
    return { kind: 'answer', status, body: await readStart(response.body) };
  } catch (error) {
    if (timeout.signal.aborted)
      return { kind: 'error', error: 'timeout', message: 'no complete response in time' };
    const explained = explainNetworkError(error);
    if (status === undefined) return { kind: 'error', ...explained };
    return { kind: 'error', error: 'cut-short', message: `status ${status}, then: ${explained.message}` };
  } finally {
    inTime();
  }
}

/** Copied, because a chunk may be a view of a much larger buffer. */
const firstBytes = (pieces: readonly Uint8Array[]): Uint8Array =>
  new Uint8Array(joinBytes(pieces).subarray(0, mostKept));

const kinds: readonly [pattern: RegExp, kind: NetworkErrorKind][] = [
  [/^ERR_REFUSED_TARGET$/, 'target'],
  [/^ECONNREFUSED$/, 'refused'],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, 'reset'],
  [/^(ENOTFOUND|EAI_.*)$/, 'dns'],
  [/^(ERR_TLS_.*|ERR_SSL_.*|EPROTO|CERT_.*|.*_CERT(_.*)?|.*CERTIFICATE.*|.*_SIGNATURE)$/, 'tls'],
  [/^(ETIMEDOUT|UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT)$/, 'timeout'],
];

/** `fetch` reports only that the request failed. Runtimes put the reason in a nested cause. */
export function explainNetworkError(error: unknown): { error: NetworkErrorKind; message: string } {
  const codes = [...errorCauses(error)].flatMap((cause) => ('code' in cause ? [String(cause.code)] : []));
  const kind = codes.flatMap((code) =>
    kinds.flatMap(([pattern, kind]) => (pattern.test(code) ? [kind] : [])),
  )[0];
  const message = innermostMessage(error) ?? String(error);
  return { error: kind ?? 'network', message };
}
