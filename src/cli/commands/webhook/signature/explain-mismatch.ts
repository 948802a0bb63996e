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

/** Common accidental changes to a body or a secret. */
const mistakes: readonly Mistake[] = [
  [
    'The signature matches if the whitespace around the secret is removed.',
    ({ body: text, secret }) => ({ body: text, secret: secret.trim() }),
  ],
  [
    'The signature was made without the "whsec_" prefix, which is part of the secret.',
    ({ body: text, secret }) => ({ body: text, secret: secret.replace(/^whsec_/, '') }),
  ],
  [
    'The signature matches if you include the prefix "whsec_" in the secret.',
    ({ body: text, secret }) => ({ body: text, secret: `whsec_${secret}` }),
  ],
  [
    'The signature matches the body without its trailing newline. Something added the newline.',
    body((text) => text.replace(/(?<!\n)(?:\r?\n)+$/, '')),
  ],
  [
    'The signature matches the body without its trailing whitespace. Something added spaces or tabs.',
    body((text) => text.trimEnd()),
  ],
  [
    'The signature matches the body with a trailing newline. Something removed the newline.',
    body((text) => `${text}\n`),
  ],
  [
    'The signature matches the body without its byte order mark.',
    body((text) => text.replace(/^\uFEFF/, '')),
  ],
  [
    'The signature matches the body after parsing and serializing it again. Sign and verify the raw bytes.',
    body(reserialised),
  ],
];

export async function explainMismatch(bytes: Uint8Array, header: string, secret: string): Promise<string> {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  for (const [explanation, make] of mistakes) {
    const changed = make({ body: text, secret });
    if (changed && (await checkSignature(changed.body, header, changed.secret)).valid) return explanation;
  }
  return 'The signature does not match. The secret is different, or the body was changed.';
}

function reserialised(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return undefined;
  }
}
