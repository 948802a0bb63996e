import { createHmac } from 'node:crypto';

/** A secret that may have been used to sign a request. */
export interface Candidate {
  name: string;
  value: string;
}

export interface SignedRequest {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: Uint8Array;
}

/** How a header signs a request. */
export interface Signing {
  header: string;
  candidate: Candidate;
  /** The form of the secret, such as `, decoded from base64`. */
  key: string;
  /** What was signed, such as `{t}.{body}`. */
  layout: string;
  body: string;
}

/** Whether a header signs the request. The value of such a header is not a secret, but it reveals something about one. */
export const isSignature = (name: string, value: string): boolean =>
  /signature|hmac|digest|webhook-|^x-.*sig/i.test(name) && digestIn(value) !== undefined;

/** Reads a hexadecimal or base64 signature. Its length shows which hash was used. */
export function digestIn(
  value: string,
): { text: string; hash: string; encoding: 'hex' | 'base64' } | undefined {
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

const layouts = [
  '{body}',
  'v0:{t}:{body}',
  '{t}.{body}',
  '{t}:{body}',
  '{t}{body}',
  '{body}{t}',
  '{id}.{t}.{body}',
  '{url}{body}',
  '{method}{url}{body}',
];

export const decodedKey = ' decoded from base64';

const keys: [form: string, make: (secret: string) => string | Buffer][] = [
  ['', (secret) => secret],
  [decodedKey, (secret) => Buffer.from(secret.replace(/^whsec_/, ''), 'base64')],
  [' without "whsec_"', (secret) => secret.replace(/^whsec_/, '')],
  [' with "whsec_" in front', (secret) => `whsec_${secret}`],
  [' without the whitespace around it', (secret) => secret.trim()],
];

export const rawBody = 'the raw body';

const bodies: [form: string, make: (text: string) => string][] = [
  [rawBody, (text) => text],
  ['the body after parsing and serializing it again', (text) => JSON.stringify(JSON.parse(text))],
  ['the body without the whitespace around it', (text) => text.trim()],
  ['the body with a trailing newline', (text) => `${text}\n`],
  ['the body without its byte order mark', (text) => text.replace(/^\uFEFF/, '')],
];

const stampIn = /((?:^|,)\s*t=)(\d+)/;
const isStamp = (name: string): boolean => name.includes('timestamp');

/** Returns when a request says that it was signed, usually in seconds. */
export const stampOf = ({ headers }: SignedRequest, header: string): string | undefined =>
  stampIn.exec(headers[header] ?? '')?.[2] ?? Object.entries(headers).find(([name]) => isStamp(name))?.[1];

/** Returns the signatures that a header would contain, for each secret and for each way of signing. */
export function* signaturesOf(
  request: SignedRequest,
  header: string,
  candidates: readonly Candidate[],
): Generator<Signing & { signature: string; value: string }> {
  const { url, method, headers } = request;
  const value = headers[header] ?? '';
  const digest = digestIn(value);
  if (!digest) return;
  const id = Object.entries(headers).find(([name]) => /(?:webhook|svix)-id|delivery/.test(name))?.[1];
  const parts: Record<string, string | undefined> = { t: stampOf(request, header), id, url, method };
  for (const { form: body, text } of bodiesOf(request.body))
    for (const candidate of candidates)
      for (const { form: key, bytes } of keysOf(candidate))
        for (const [layout, signed] of signedTexts({ ...parts, body: text })) {
          const signature = createHmac(digest.hash, bytes).update(signed, 'latin1').digest(digest.encoding);
          yield {
            header,
            candidate,
            key,
            layout,
            body,
            signature,
            value: value.replace(digest.text, signature),
          };
        }
}

/** Fills each layout whose parts are all known. */
function* signedTexts(parts: Record<string, string | undefined>): Generator<[layout: string, text: string]> {
  for (const layout of layouts) {
    const signed = layout.split(/[{}]/).map((part, at) => (at % 2 === 0 ? part : parts[part]));
    if (!signed.includes(undefined)) yield [layout, signed.join('')];
  }
}

/** Every signature takes thousands of hashes, and anyone can send a request with hundreds of signatures. */
const mostSignatures = 4;

/** Finds out how a request was signed. */
export function findSigning(request: SignedRequest, candidates: readonly Candidate[]): Signing | undefined {
  const signatures = Object.entries(request.headers).filter((one) => isSignature(...one));
  for (const [header, value] of signatures.slice(0, mostSignatures))
    for (const signing of signaturesOf(request, header, candidates))
      if (value.includes(signing.signature)) return signing;
  return undefined;
}

/** Returns the headers of an edited request, signed in the same way as the original. */
export function signLike(request: SignedRequest, signing: Signing, now: number): Record<string, string> {
  const renewed = (stamp: string): string => String(stamp.length > 11 ? now : Math.floor(now / 1000));
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => {
      if (name === signing.header)
        return [name, value.replace(stampIn, (_, start, stamp) => start + renewed(stamp))];
      return [name, isStamp(name) && /^\d+$/.test(value) ? renewed(value) : value];
    }),
  );
  const { header, candidate, key, layout, body } = signing;
  for (const one of signaturesOf({ ...request, headers }, header, [candidate]))
    if (one.key === key && one.layout === layout && one.body === body)
      return { ...headers, [header]: one.value };
  return headers;
}

/** Returns the different forms of a body, as text in which each character represents one byte. */
function bodiesOf(bytes: Uint8Array): { form: string; text: string }[] {
  const read = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const known = new Set<string>();
  return bodies.flatMap(([form, make]) => {
    let text: string;
    try {
      text = Buffer.from(form === rawBody ? bytes : make(read)).toString('latin1');
    } catch {
      return [];
    }
    return known.has(text) ? [] : (known.add(text), [{ form, text }]);
  });
}

function keysOf({ value }: Candidate): { form: string; bytes: Buffer }[] {
  const known = new Set<string>();
  return keys.flatMap(([form, make]) => {
    const bytes = Buffer.from(make(value));
    const hex = bytes.toString('hex');
    return known.has(hex) ? [] : (known.add(hex), [{ form, bytes }]);
  });
}
