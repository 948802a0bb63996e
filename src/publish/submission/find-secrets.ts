/** A secret that was found in text. Its value is never stored. */
export interface FoundSecret {
  /** The kind of secret, including an article, so that it can be used in a sentence. */
  kind: string;
  /** The position of the first occurrence in the text. */
  index: number;
  /** The number of other secrets of this kind in the text. */
  more: number;
}

const shapes: readonly [kind: string, shape: RegExp][] = [
  ['a private key', /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----\s*[A-Za-z0-9+/=\\]{20}/g],
  ['an AWS access key', /\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/g],
  ['a GitHub token', /\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59})\b/g],
  ['a GitLab token', /\bglpat-[A-Za-z0-9_-]{20}\b/g],
  ['a Slack token', /\bxox[abeprs]-(?:\d{9,13}-){1,3}[A-Za-z0-9]{20,}\b/g],
  [
    'a Slack webhook URL',
    /\bhttps:\/\/hooks\.slack\.com\/services\/T[A-Z0-9]{8,}\/B[A-Z0-9]{8,}\/[A-Za-z0-9]{24}\b/g,
  ],
  ['a Discord webhook URL', /\bhttps:\/\/discord(?:app)?\.com\/api\/webhooks\/\d{17,20}\/[\w-]{60,}/g],
  ['a Stripe key', /\b(?:sk|rk)_live_[A-Za-z0-9]{24,}\b/g],
  ['a Google API key', /\bAIza[\w-]{35}(?![\w-])/g],
  ['a Google OAuth client secret', /\bGOCSPX-[\w-]{28}(?![\w-])/g],
  ['an OpenAI key', /\bsk-(?:proj-)?[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}\b|\bsk-proj-[\w-]{60,}/g],
  ['an Anthropic key', /\bsk-ant-(?:api|admin)\d{2}-[\w-]{80,}/g],
  ['an npm token', /\bnpm_[A-Za-z0-9]{36}\b/g],
  ['a PyPI token', /\bpypi-AgEIcHlwaS5vcmc[\w-]{50,}/g],
  ['a SendGrid key', /\bSG\.[\w-]{22}\.[\w-]{43}(?![\w-])/g],
  ['a Twilio key', /\bSK[0-9a-f]{32}\b/g],
  ['a DigitalOcean token', /\bdo[opr]_v1_[0-9a-f]{64}\b/g],
  ['a Shopify token', /\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}\b/g],
  ['a Telegram bot token', /\b\d{8,10}:AA[\w-]{33}(?![\w-])/g],
  ['an Azure storage key', /\bAccountKey=[A-Za-z0-9+/]{86}==/g],
  ['a Linear key', /\blin_api_[A-Za-z0-9]{40}\b/g],
  [
    'a password in a URL',
    /\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s:/@'"`$<>{}]+:[^\s/@'"`$<>{}]{8,}@[a-z0-9.-]+\.[a-z]{2,}/gi,
  ],
];

/**
 * Finds known kinds of secrets and the values of the integration's own secrets. It yields undefined after each step, so that
 * the caller can stop the search. The text is untrusted and may be long.
 */
export function* searchSecrets(
  text: string,
  own: Readonly<Record<string, string>>,
): Generator<FoundSecret | undefined> {
  for (const [kind, shape] of shapes) yield* foundIn(kind, matchesOf(shape, text));
  for (const [name, value] of Object.entries(own)) {
    if (value.length < shortestValue || isWord.test(value)) continue;
    yield* foundIn(`the value of the secret ${name}`, indexesOf(value, text));
  }
}

/** Describes only the first secret, because there may be thousands. */
function* foundIn(kind: string, indexes: Iterable<number | undefined>): Generator<FoundSecret | undefined> {
  let first: number | undefined;
  let more = -1;
  for (const index of indexes) {
    if (index === undefined) yield undefined;
    else more += 1;
    first ??= index;
  }
  if (first !== undefined) yield { kind, index: first, more };
}

/** How much text is searched in each step. */
const stepLength = 512 * 1024;
/** Longer than any secret that starts at the end of a step. */
const overlap = 4 * 1024;

function* matchesOf(shape: RegExp, text: string): Generator<number | undefined> {
  const pattern = new RegExp(shape);
  for (let start = 0; start < text.length;) {
    const end = start + stepLength;
    let next = end;
    // The text before the start is not cut off, because a pattern may check the character before a match.
    const part = text.slice(0, end + overlap);
    pattern.lastIndex = start;
    for (let match = pattern.exec(part); match && match.index < end; match = pattern.exec(part)) {
      next = Math.max(end, pattern.lastIndex);
      if (!isExample(match[0])) yield match.index;
    }
    yield undefined;
    start = next;
  }
}

function* indexesOf(value: string, text: string): Generator<number> {
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length)) yield at;
}

/** Values shorter than this occur in text by chance. */
const shortestValue = 8;
const isWord = /^[a-z]{1,15}$/i;

/** Whether the text is a placeholder that documentation uses instead of a secret. */
function isExample(text: string): boolean {
  if (
    /example|sample|dummy|placeholder|your[-_]|x{6}|0{8}|1234567890|abcdefgh|redacted|user:pass/i.test(text)
  ) {
    return true;
  }
  const tail = text.slice(-16);
  return new Set(tail).size <= 4;
}
