import type { ReplayBody, ReplayOutcome } from '../sandbox/index.js';
import { toRecordedBody } from './file/recorded-body.js';
import type { RecordedCall, RecordedRequest, RecordedResponse } from './file/recording.js';

/** Response headers to record and compare. Other headers may contain anything. */
const keptHeaders = new Set([
  'allow',
  'cache-control',
  'content-disposition',
  'content-language',
  'content-security-policy',
  'content-type',
  'etag',
  'link',
  'location',
  'retry-after',
  'vary',
  'www-authenticate',
]);

export const keepHeaders = (headers: readonly [string, string][]): { headers?: Record<string, string> } => {
  const kept = headers
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => keptHeaders.has(name) || name.startsWith('access-control-'))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return kept.length > 0 ? { headers: Object.fromEntries(kept) } : {};
};

const bodyField = (body: ReplayBody | undefined): { body?: NonNullable<RecordedResponse['body']> } => {
  const written = toRecordedBody(body);
  return written === undefined ? {} : { body: written };
};

/** Returns a replayed call's outcome as stored in a recording. `answers` are the responses that the call received. */
export function toRecorded(
  outcome: ReplayOutcome,
  answers: readonly RecordedRequest[] = [],
): Pick<RecordedCall, 'outbound' | 'response' | 'failure' | 'rejected' | 'unrepeatable'> {
  const { response, failure, rejected, unrepeatable } = outcome;
  return {
    outbound: outcome.outbound.map(({ method, url, body, recorded }) => {
      const answered = answers[recorded ?? -1];
      return {
        send: `${method} ${url}`,
        ...bodyField(body),
        answer: answered?.answer ?? {
          error: 'The recording has no response to this request.',
          code: 'ENETUNREACH',
        },
        ms: answered?.ms ?? 0,
      };
    }),
    ...(response && {
      response: {
        status: response.status,
        ...keepHeaders(response.headers),
        ...bodyField(response.body),
      },
    }),
    ...(failure !== undefined && { failure: failure.split('\n', 1)[0] ?? failure }),
    ...(rejected.length > 0 && { rejected }),
    ...(unrepeatable.length > 0 && { unrepeatable }),
  };
}
