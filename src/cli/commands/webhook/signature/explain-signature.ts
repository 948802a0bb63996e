import { checkSignature, type SignatureCheck, type VerifyOptions } from '../../../../protocol/signature.js';
import { explainMismatch } from './explain-mismatch.js';

export interface SignatureVerdict {
  valid: boolean;
  reason?: string;
  explanation: string;
}

/** Explains which part of the header is wrong. If every part is valid, tries common errors to explain the mismatch. */
export async function explainSignature(
  body: Uint8Array,
  header: string,
  secret: string,
  options: VerifyOptions,
): Promise<SignatureVerdict> {
  const check = await checkSignature(body, header, secret, options);
  if (check.valid)
    return { valid: true, explanation: `Signed with this secret at ${timeOf(check.timestamp)}.` };
  const { reason } = check;
  const explanation =
    reason === 'mismatch' ? await explainMismatch(body, header, secret) : explain(check, header, options);
  return { valid: false, reason, explanation };
}

const timeOf = (seconds: number): string => new Date(seconds * 1000).toISOString();

type Refusal = Extract<SignatureCheck, { valid: false }>;

function explain(refusal: Refusal, header: string, { toleranceSeconds = 0 }: VerifyOptions): string {
  switch (refusal.reason) {
    case 'missing':
      return 'The signature header is missing.';
    case 'too-long':
      return 'The header is longer than 4 KiB.';
    case 'no-timestamp':
      return /^x-platform-signature:/i.test(header)
        ? "The header value starts with the header's name. Pass only the part after the colon."
        : 'No part of the header begins with "t=". Nothing can come before it, not even a space.';
    case 'several-timestamps':
      return 'More than one part of the header begins with "t=".';
    case 'bad-timestamp':
      return 'The value of "t=" is not a number of 1 to 12 digits.';
    case 'no-signature':
      return explainNoSignature(header);
    case 'no-secret':
      return 'The secret is empty.';
    case 'too-old':
    case 'too-new': {
      const away = `${Math.abs(refusal.ageSeconds)} s ${refusal.reason === 'too-old' ? 'old' : 'ahead of this clock'}`;
      return `The signature matches, but is ${away}. The maximum is ${toleranceSeconds} s.`;
    }
    default:
      return 'The signature does not match.';
  }
}

function explainNoSignature(header: string): string {
  const parts = header.split(',');
  if (parts.some((part) => /^v1=[0-9a-f]*[A-F][0-9A-Fa-f]*$/.test(part)))
    return 'The value of "v1=" has uppercase letters. It must be lowercase.';
  if (parts.some((part) => /^\s+v1=/.test(part)))
    return 'There is a space before "v1=". Separate the parts with a comma only.';
  const [given] = parts.filter((part) => part.startsWith('v1=')).map((part) => part.slice('v1='.length));
  if (given === undefined) return 'No part of the header begins with "v1=".';
  return `Expected 64 hexadecimal digits after "v1=", but got ${given.length} characters.`;
}
