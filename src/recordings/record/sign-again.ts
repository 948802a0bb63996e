import {
  decodedKey,
  digestIn,
  isSignature,
  rawBody,
  signaturesOf,
  type Candidate,
} from '../../emulator/index.js';
import { resealOAuthState } from '../../protocol/oauth/oauth-state.js';
import { bodyBytes } from '../file/recorded-body.js';
import type { RecordedCall, RecordedEvent } from '../file/recording.js';

/** A part of a request that depends on a secret, and its possible values. */
export interface Resigned {
  /** The header's name, if the part is a header. */
  header?: string;
  /** A readable description. */
  what: string;
  /** The variants, each with the name of its secret. */
  variants: { secret: string; call: RecordedCall }[];
}

/**
 * Finds the parts of an incoming request that only its sender could create. A variant is correct if the script accepts it
 * just like the original.
 */
export async function findSigned(call: RecordedCall, candidates: readonly Candidate[]): Promise<Resigned[]> {
  const { request } = call.event;
  if (!request) return [];
  const withHeader = (name: string, value: string): RecordedCall => ({
    ...call,
    event: { ...call.event, request: { ...request, headers: { ...request.headers, [name]: value } } },
  });
  const found: Resigned[] = [];
  for (const [name, value] of Object.entries(request.headers)) {
    const variants = isSignature(name, value)
      ? candidates.flatMap((candidate) =>
          signatures(name, request, call, candidate).map((signed) => ({
            secret: candidate.name,
            call: withHeader(name, signed),
          })),
        )
      : isCredential(name)
        ? candidates.flatMap((candidate) =>
            credentials(value, candidate).map((sent) => ({
              secret: candidate.name,
              call: withHeader(name, sent),
            })),
          )
        : [];
    if (variants.length > 0) found.push({ header: name, what: `the header ${name}`, variants });
  }
  const state = URL.parse(request.url)?.searchParams.get('state');
  if (state?.includes('~')) {
    const variants = [];
    for (const { name, value } of candidates) {
      const url = new URL(request.url);
      url.searchParams.set('state', await resealOAuthState(state, value));
      variants.push({
        secret: name,
        call: { ...call, event: { ...call.event, request: { ...request, url: url.href } } },
      });
    }
    found.push({ what: 'the OAuth state parameter', variants });
  }
  return found;
}

/** Replaces signatures with zeros, except for those in the `kept` headers. */
export function withoutSignatures(call: RecordedCall, kept: readonly string[]): RecordedCall {
  const { request } = call.event;
  if (!request) return call;
  const headers = Object.entries(request.headers).map(([name, value]) => {
    const digest = isSignature(name, value) && !kept.includes(name) ? digestIn(value) : undefined;
    return [name, digest ? value.replace(digest.text, '0'.repeat(digest.text.length)) : value] as const;
  });
  return { ...call, event: { ...call.event, request: { ...request, headers: Object.fromEntries(headers) } } };
}

const isCredential = (name: string): boolean => /^authorization$|token|secret|key$/.test(name);

/** Returns variants of a header, one for each signature that the candidate could create for this request. */
function signatures(
  header: string,
  { url, method, headers }: NonNullable<RecordedEvent['request']>,
  call: RecordedCall,
  candidate: Candidate,
): string[] {
  const request = { url, method, headers, body: bodyBytes(call.body) };
  return [...signaturesOf(request, header, [candidate])]
    .filter(
      ({ body, key }) =>
        body === rawBody &&
        (key === '' ||
          (key === decodedKey &&
            (candidate.value.startsWith('whsec_') || /^(?:svix|webhook)-/.test(header)))),
    )
    .map(({ value }) => value);
}

function credentials(value: string, { value: secret }: Candidate): string[] {
  const [, scheme, rest = ''] = /^(\w+) (.*)$/.exec(value) ?? [];
  if (scheme === undefined) return [secret];
  if (scheme.toLowerCase() !== 'basic') return [`${scheme} ${secret}`];
  const user = /^[\w+/=]+$/.test(rest) ? (Buffer.from(rest, 'base64').toString().split(':')[0] ?? '') : '';
  const encode = (text: string): string => `${scheme} ${Buffer.from(text).toString('base64')}`;
  return [encode(`${user}:${secret}`), encode(`${secret}:`)];
}
