import { checkSignature } from '../../../../protocol/signature.js';

interface Signed {
  body: string;
  secret: string;
}

type Mistake = [explanation: string, make: (signed: Signed) => Signed | undefined];

const body =
  (change: (text: string) => string | undefined) =>
  (signed: Signed): Signed | undefined => {
    const changed = change(signed.body);
    return changed === undefined ? undefined : { ...signed, body: changed };
  };

/** What receivers and their authors do to a body or a secret without noticing. */
const mistakes: readonly Mistake[] = [
  [
    'It fits once the white space around the secret is removed.',
    ({ body: text, secret }) => ({ body: text, secret: secret.trim() }),
  ],
  [
    'It fits the secret without "whsec_": that is a part of it.',
    ({ body: text, secret }) => ({ body: text, secret: secret.replace(/^whsec_/, '') }),
  ],
  [
    'It fits the secret with "whsec_" before it, which is a part of it.',
    ({ body: text, secret }) => ({ body: text, secret: `whsec_${secret}` }),
  ],
  [
    'It fits the body without the line break at its end: something has added one.',
    body((text) => text.replace(/(\r?\n)+$/, '')),
  ],
  [
    'It fits the body without the white space at its end: something has added spaces or tabs.',
    body((text) => text.trimEnd()),
  ],
  ['It fits the body with a line break at its end: something has removed one.', body((text) => `${text}\n`)],
  ['It fits the body without its byte order mark.', body((text) => text.replace(/^\uFEFF/, ''))],
  ['It fits the body parsed and written again: sign and verify the raw bytes.', body(reserialised)],
];

/** Tries the usual mistakes on a signature that does not fit. */
export async function explainMismatch(bytes: Uint8Array, header: string, secret: string): Promise<string> {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  for (const [explanation, make] of mistakes) {
    const changed = make({ body: text, secret });
    if (changed && (await checkSignature(changed.body, header, changed.secret)).valid) return explanation;
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
