import { checkSignature, type SignatureCheck, type VerifyOptions } from '../../protocol/signature.js';

export interface SignatureVerdict {
  valid: boolean;
  reason?: string;
  explanation: string;
}

type Reason = Extract<SignatureCheck, { valid: false }>['reason'];

const explanations: Record<Exclude<Reason, 'too-old' | 'too-new' | 'mismatch'>, string> = {
  missing: 'There is no signature header.',
  'too-long': 'The header is longer than 4 KiB.',
  'no-timestamp':
    'The header has no part that begins with "t=". Nothing may stand before it, not even a space.',
  'several-timestamps': 'The header has more than one part that begins with "t=".',
  'bad-timestamp': 'What stands behind "t=" is not a number of 1 to 12 digits.',
  'no-signature': 'The header has no "v1=" with 64 lower-case hexadecimal digits.',
  'no-secret': 'The secret is empty.',
};

/** Says what is wrong, and tries the usual mistakes to say why. */
export async function explainSignature(
  body: Uint8Array,
  header: string,
  secret: string,
  options: VerifyOptions,
): Promise<SignatureVerdict> {
  const check = await checkSignature(body, header, secret, options);
  if (check.valid)
    return { valid: true, explanation: `It was signed with this secret at ${timeOf(check.timestamp)}.` };
  const { reason } = check;
  if (reason === 'mismatch')
    return { valid: false, reason, explanation: await explainMismatch(body, header, secret) };
  if (reason === 'too-old' || reason === 'too-new') {
    const explanation = `The signature is right, but ${Math.abs(check.ageSeconds)} s ${reason === 'too-old' ? 'old' : 'ahead of this clock'}.`;
    return { valid: false, reason, explanation };
  }
  return { valid: false, reason, explanation: explanations[reason] };
}

const timeOf = (seconds: number): string => new Date(seconds * 1000).toISOString();

async function explainMismatch(body: Uint8Array, header: string, secret: string): Promise<string> {
  const fits = async (other: Uint8Array, key = secret): Promise<boolean> =>
    (await checkSignature(other, header, key)).valid;
  const text = new TextDecoder().decode(body);
  const encode = (other: string): Uint8Array => new TextEncoder().encode(other);
  if (await fits(body, secret.trim())) return 'It fits once the white space around the secret is removed.';
  if (await fits(encode(text.trimEnd())))
    return 'It fits the body without the line break at its end: something has added one.';
  if (await fits(encode(`${text}\n`)))
    return 'It fits the body with a line break at its end: something has removed one.';
  if (await fits(encode(text.replace(/^\uFEFF/, '')))) return 'It fits the body without its byte order mark.';
  const parsed = reserialised(text);
  if (parsed !== undefined && (await fits(encode(parsed)))) {
    return 'It fits the body parsed and written again: sign and verify the raw bytes.';
  }
  return 'It fits neither this body nor a usual alteration of it: the secret is another one, or the body was altered.';
}

function reserialised(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return undefined;
  }
}
