import { createHmac } from 'node:crypto';
import { resealOAuthState } from '../../protocol/oauth/oauth-state.js';
import { bodyBytes } from '../file/recorded-body.js';
import type { RecordedCall } from '../file/recording.js';

/** A made-up secret that may have been used to sign a request, and its description. */
export interface Candidate {
  name: string;
  value: string;
}

/** A part of a request that depends on a secret, and its possible values. */
export interface Resigned {
  /** The header's name, if the part is a header. */
  header?: string;
  /** A readable description. */
  what: string;
  /** The variants, each with the name of its secret. */
  variants: { secret: string; call: RecordedCall }[];
}

interface Incoming {
  url: string;
  method: string;
  headers: Record<string, string>;
}

const requestOf = ({ event }: RecordedCall): Incoming | undefined =>
  (event as unknown as { request?: Incoming }).request;

/**
 * Finds the parts of an incoming request that only its sender could create. A variant is correct if the script accepts it
 * just like the original.
 */
export async function findSigned(call: RecordedCall, candidates: readonly Candidate[]): Promise<Resigned[]> {
  const request = requestOf(call);
  if (!request) return [];
  const withHeader = (name: string, value: string): RecordedCall => ({
    ...call,
    event: { ...call.event, request: { ...request, headers: { ...request.headers, [name]: value } } },
  });
  const found: Resigned[] = [];
  for (const [name, value] of Object.entries(request.headers)) {
    const variants = isSignature(name, value)
      ? candidates.flatMap((candidate) =>
          signatures(value, request, call, candidate).map((signed) => ({
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
  const request = requestOf(call);
  if (!request) return call;
  const headers = Object.entries(request.headers).map(([name, value]) => {
    const digest = isSignature(name, value) && !kept.includes(name) ? digestIn(value) : undefined;
    return [name, digest ? value.replace(digest.text, '0'.repeat(digest.text.length)) : value] as const;
  });
  return { ...call, event: { ...call.event, request: { ...request, headers: Object.fromEntries(headers) } } };
}

const isCredential = (name: string): boolean => /^authorization$|token|secret|key$/.test(name);

/** Whether a header signs the request. The value of such a header is not a secret, but it reveals something about one. */
export const isSignature = (name: string, value: string): boolean =>
  /signature|hmac|digest|webhook-|^x-.*sig/i.test(name) && digestIn(value) !== undefined;

/** Reads a hexadecimal or base64 signature. Its length shows which hash was used. */
function digestIn(value: string): { text: string; hash: string; encoding: 'hex' | 'base64' } | undefined {
  const hex = /(?<![\da-f])(?:[\da-f]{128}|[\da-f]{64}|[\da-f]{40})(?![\da-f])/.exec(value)?.[0];
  if (hex !== undefined)
    return {
      text: hex,
      hash: { 40: 'sha1', 64: 'sha256', 128: 'sha512' }[hex.length] ?? 'sha256',
      encoding: 'hex',
    };
  const base64 = /(?:[A-Za-z\d+/]{86}==|[A-Za-z\d+/]{43}=|[A-Za-z\d+/]{27}=)(?![A-Za-z\d+/=])/.exec(
    value,
  )?.[0];
  if (base64 === undefined) return undefined;
  return {
    text: base64,
    hash: { 28: 'sha1', 44: 'sha256', 88: 'sha512' }[base64.length] ?? 'sha256',
    encoding: 'base64',
  };
}

/** Returns variants of the value, one for each signature that the candidate could create for this request. */
function signatures(
  value: string,
  request: Incoming,
  call: RecordedCall,
  { value: secret }: Candidate,
): string[] {
  const digest = digestIn(value);
  if (!digest) return [];
  const body = Buffer.from(bodyBytes(call.body)).toString('latin1');
  const stamp =
    /(?:^|,)\s*t=(\d+)/.exec(value)?.[1] ??
    Object.entries(request.headers).find(([name]) => name.includes('timestamp'))?.[1];
  const id = Object.entries(request.headers).find(([name]) => /(?:webhook|svix)-id|delivery/.test(name))?.[1];
  const signed = [
    body,
    ...(stamp === undefined
      ? []
      : [
          `v0:${stamp}:${body}`,
          `${stamp}.${body}`,
          `${stamp}:${body}`,
          `${stamp}${body}`,
          `${body}${stamp}`,
        ]),
    ...(stamp !== undefined && id !== undefined ? [`${id}.${stamp}.${body}`] : []),
    `${request.url}${body}`,
    `${request.method}${request.url}${body}`,
  ];
  const keys = [secret, ...(secret.startsWith('whsec_') ? [Buffer.from(secret.slice(6), 'base64')] : [])];
  return keys.flatMap((key) =>
    signed.map((text) =>
      value.replace(digest.text, createHmac(digest.hash, key).update(text, 'latin1').digest(digest.encoding)),
    ),
  );
}

/** Returns the value with the candidate inserted. */
function credentials(value: string, { value: secret }: Candidate): string[] {
  const [, scheme, rest = ''] = /^(\w+) (.*)$/.exec(value) ?? [];
  if (scheme === undefined) return [secret];
  if (scheme.toLowerCase() !== 'basic') return [`${scheme} ${secret}`];
  const user = /^[\w+/=]+$/.test(rest) ? (Buffer.from(rest, 'base64').toString().split(':')[0] ?? '') : '';
  const encode = (text: string): string => `${scheme} ${Buffer.from(text).toString('base64')}`;
  return [encode(`${user}:${secret}`), encode(`${secret}:`)];
}
