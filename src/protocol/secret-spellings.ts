/** Shorter secrets are not masked, because they are part of too many words. */
export const shortestSecret = 4;

/** The lower case of a shorter secret is too often a word. */
const shortestLowered = 8;

/**
 * All ways in which programs write this secret. Secrets with several lines are also masked line by line, as
 * they appear in logs.
 */
export function spellingsOf(secret: string): string[] {
  const lines = secret.split(/\r\n|\r|\n/).map((line) => line.trim());
  return (lines.length > 1 ? [secret, ...lines] : [secret])
    .filter(({ length }) => length >= shortestSecret)
    .flatMap(spell)
    .filter(({ length }) => length >= shortestSecret);
}

function spell(secret: string): string[] {
  const bytes = new TextEncoder().encode(secret);
  const pairs = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0'));
  // Programs print bytes also as `61 62`, `61:62` and `61-62`.
  const hexes = [pairs.join(''), ...[' ', ':', '-'].map((gap) => pairs.join(gap))];
  const base64 = [0, 1, 2].map((shift) => base64At(bytes, shift));
  const strings = inStrings(secret);
  return [
    secret,
    // Names of hosts and of headers are in lower case.
    ...(secret.length < shortestLowered ? [] : [secret.toLowerCase()]),
    ...hexes,
    ...hexes.map((hex) => hex.toUpperCase()),
    ...[',', ', '].map((gap) => bytes.join(gap)),
    ...base64,
    ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
    ...inUrls(new TextDecoder().decode(bytes)),
    ...inHtml(secret),
    ...strings,
    // A string inside a string: a JSON value in other JSON.
    ...strings.map((text) => text.replaceAll(/["\\]/g, String.raw`\$&`)),
  ];
}

/** The part of the base64 that does not depend on the text after it or on the `shift` bytes before it. */
function base64At(bytes: Uint8Array, shift: number): string {
  const text = btoa('\0'.repeat(shift) + Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  return text.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6));
}

function inUrls(secret: string): string[] {
  const query = encodeURI(secret).replaceAll("'", '%27');
  const encoded = inEitherCase([encodeURI(secret), query, ...inParameters(secret)]);
  // A URL in a parameter of another URL is encoded twice.
  return [...encoded, ...inEitherCase(encoded.flatMap(inParameters))];
}

function inParameters(text: string): string[] {
  const url = encodeURIComponent(text);
  // Forms do not escape the asterisk. Of these characters, URL queries escape only the apostrophe.
  const form = url.replaceAll('%20', '+').replaceAll(/[!'()~]/g, percent);
  return [url, url.replaceAll(/[!'()*]/g, percent), form];
}

const inEitherCase = (encoded: string[]): string[] => [
  ...new Set([
    ...encoded,
    ...encoded.map((text) => text.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())),
  ]),
];

const percent = (character: string): string => `%${hexOf(character, 2).toUpperCase()}`;

const hexOf = (character: string, digits: number): string =>
  character.charCodeAt(0).toString(16).padStart(digits, '0');

/** Characters that some JSON writers escape although they need not: Go, Gson, .NET and PHP. */
const careful = [/[^\x20-\x7E]/g, /[<>&]/g, /[<>&'=]/g, /[<>&'"+`]|\\"|[^\x20-\x7E]/g];

/** How the secret appears in JSON, in source code, and in an object that Node prints. */
function inStrings(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const printed = json.replaceAll(String.raw`\"`, '"');
  const escaped = [
    ...careful.map((pattern) => (escape: Escape) => json.replaceAll(pattern, escape)),
    (escape: Escape) => secret.replaceAll(/[^]/g, escape),
  ];
  return [
    json,
    json.replaceAll('/', String.raw`\/`),
    printed,
    printed.replaceAll("'", String.raw`\'`),
    ...escaped.flatMap((write) => [write(unicode), write((text) => unicode(text, 'upper'))]),
  ];
}

type Escape = (text: string) => string;

const unicode = (text: string, digits?: unknown): string => {
  // The text may be a quote with its backslash.
  const hex = hexOf(text.at(-1) ?? '', 4);
  return String.raw`\u${digits === 'upper' ? hex.toUpperCase() : hex}`;
};

/** Characters that writers of XML and HTML escape differently. */
const entities: [character: string, written: string[]][] = [
  ['<', ['&lt;']],
  ['>', ['&gt;', '>']],
  ['"', ['&quot;', '&#34;', '"']],
  ["'", ['&#39;', '&#x27;', '&#039;', '&apos;', "'"]],
];

function inHtml(secret: string): string[] {
  let forms = [secret.replaceAll('&', '&amp;')];
  for (const [character, written] of entities)
    if (secret.includes(character))
      forms = forms.flatMap((form) => written.map((entity) => form.replaceAll(character, entity)));
  const numbered = [10, 16].flatMap((base) =>
    forms.map((form) =>
      form.replaceAll(/[^\0-\x7F]/gu, (character) => {
        const code = (character.codePointAt(0) ?? 0).toString(base);
        return base === 16 ? `&#x${code.toUpperCase()};` : `&#${code};`;
      }),
    ),
  );
  return [...forms, ...numbered];
}
