import type { ReplayBody, ReplayOutcome, SentRequest } from '../sandbox/index.js';
import { toRecordedBody } from './file/recorded-body.js';
import type { RecordedCall, RecordedHeaders, RecordedRequest, RecordedResponse } from './file/recording.js';

/** Headers added by servers, proxies and connections. Everything else may be the script's own, or matter to it. */
const transport =
  /^(?:age|alt-svc|cf-.*|connection|content-(?:encoding|length)|date|expect-ct|keep-alive|nel|report-to|reporting-endpoints|server|server-timing|strict-transport-security|trailer|transfer-encoding|upgrade|via|x-(?:amz|cache|envoy|github-request|served|timer|runtime|request-id|content-type-options|frame-options|xss|powered-by).*)$/;

/** The only response headers in recordings of version 1. */
const firstVersion =
  /^(?:allow|cache-control|content-(?:disposition|language|security-policy|type)|etag|link|location|retry-after|vary|www-authenticate|access-control-.*)$/;

/** Headers of outbound requests that change what the other service does. */
const sentHeaders =
  /^(?:authorization|content-type|cookie|if-(?:none-)?match|prefer|range)$|idempotency|signature|hmac|digest|token|secret|api-?key|version|method-override/;

type Headers = readonly (readonly [string, string])[];

/** Returns the headers in a fixed order. A header that occurs more than once has a list of values. */
export function headersField(
  headers: Headers,
  isKept: (name: string) => boolean = () => true,
): { headers?: RecordedHeaders } {
  const kept = new Map<string, string[]>();
  for (const [given, value] of headers) {
    const name = given.toLowerCase();
    if (isKept(name)) kept.set(name, [...(kept.get(name) ?? []), value]);
  }
  if (kept.size === 0) return {};
  const sorted = [...kept].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    headers: Object.fromEntries(
      sorted.map(([name, values]) => [name, values.length > 1 ? values : (values[0] ?? '')]),
    ),
  };
}

export const keepHeaders = (headers: Headers, version?: number): { headers?: RecordedHeaders } =>
  headersField(headers, (name) => (version === 1 ? firstVersion.test(name) : !transport.test(name)));

/** The boundary of a multipart body is random. */
export const keepSentHeaders = (headers: Headers): { headers?: RecordedHeaders } =>
  headersField(
    headers.map(([name, value]) => [name, value.replace(/^(multipart\/[\w-]+); *boundary=.*/i, '$1')]),
    (name) => sentHeaders.test(name),
  );

export const headerPairs = (headers: RecordedHeaders = {}): [name: string, value: string][] =>
  Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, value]),
  );

const bodyField = (body: ReplayBody | undefined): { body?: NonNullable<RecordedResponse['body']> } => {
  const written = toRecordedBody(body);
  return written === undefined ? {} : { body: written };
};

/** How long the script waited before it repeated a request. The exact time may contain jitter. */
function waitField(sent: SentRequest, all: readonly SentRequest[]): { wait?: 'short' | 'long' } {
  const former = all.slice(0, all.indexOf(sent)).findLast((other) => isRetry(other, sent));
  const waited = sent.at - (former?.answeredAt ?? sent.at);
  return waited <= 0 ? {} : { wait: waited < LONG_WAIT_MS ? 'short' : 'long' };
}

const isRetry = (a: SentRequest, b: SentRequest): boolean => a.method === b.method && a.url === b.url;
const LONG_WAIT_MS = 10_000;

/** Returns a replayed call's outcome as stored in a recording. `answers` are the responses that the call received. */
export function toRecorded(
  outcome: ReplayOutcome,
  answers: readonly RecordedRequest[] = [],
): Pick<RecordedCall, 'outbound' | 'response' | 'failure' | 'rejected' | 'unrepeatable'> {
  const { response, failure, rejected, unrepeatable } = outcome;
  return {
    outbound: outcome.outbound.map((sent) => {
      const answered = answers[sent.recorded ?? -1];
      return {
        send: `${sent.method} ${sent.url}`,
        ...waitField(sent, outcome.outbound),
        ...keepSentHeaders(sent.headers),
        ...bodyField(sent.body),
        answer: answered?.answer ?? {
          error: 'The recording has no response to this request.',
          code: 'ENETUNREACH',
        },
        ms: answered?.ms ?? 0,
      };
    }),
    ...(response && {
      response: { status: response.status, ...keepHeaders(response.headers), ...bodyField(response.body) },
    }),
    ...(failure !== undefined && { failure: failure.split('\n', 1)[0] ?? failure }),
    ...(rejected.length > 0 && { rejected }),
    ...(unrepeatable.length > 0 && { unrepeatable }),
  };
}

/** Returns the call with what the script did now. */
export function withOutcome(
  { name, after, stored, event, body }: RecordedCall,
  did: ReturnType<typeof toRecorded>,
): RecordedCall {
  return { name, after, stored, event, ...(body !== undefined && { body }), ...did };
}
