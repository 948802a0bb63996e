/** Shorter texts are in every other word: they are not treated as secrets. */
export const shortestSecret = 4;

/** Every way in which programs write this secret; a secret of several lines also line by line, as logs print it. */
export function spellingsOf(secret: string): string[] {
  const lines = secret.split(/\r\n|\r|\n/).map((line) => line.trim());
  return (lines.length > 1 ? [secret, ...lines] : [secret])
    .filter(({ length }) => length >= shortestSecret)
    .flatMap(spell)
    .filter(({ length }) => length >= shortestSecret);
}

function spell(secret: string): string[] {
  const bytes = new TextEncoder().encode(secret);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const base64 = [0, 1, 2].map((shift) => base64At(bytes, shift));
  const strings = inStrings(secret);
  return [
    secret,
    hex,
    hex.toUpperCase(),
    ...base64,
    ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
    ...inUrls(new TextDecoder().decode(bytes)),
    ...inHtml(secret),
    ...strings,
    // A string within a string: JSON that is a value of other JSON.
    ...strings.map((text) => text.replaceAll(/["\\]/g, String.raw`\$&`)),
  ];
}

/** The part of the base64 that is the same whatever stands before (`shift` bytes of it) and after. */
function base64At(bytes: Uint8Array, shift: number): string {
  const text = btoa('\0'.repeat(shift) + Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  return text.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6));
}

function inUrls(secret: string): string[] {
  const url = encodeURIComponent(secret);
  // A form leaves the asterisk as it is, and the query of a URL all but the apostrophe.
  const form = url.replaceAll('%20', '+').replaceAll(/[!'()~]/g, percent);
  const query = encodeURI(secret).replaceAll("'", '%27');
  const encoded = [encodeURI(secret), query, url, url.replaceAll(/[!'()*]/g, percent), form];
  return [
    ...encoded,
    ...encoded.map((text) => text.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())),
  ];
}

const percent = (character: string): string => `%${hexOf(character, 2).toUpperCase()}`;

const hexOf = (character: string, digits: number): string =>
  character.charCodeAt(0).toString(16).padStart(digits, '0');

/** What JSON writers escape beside what they must: Go, Gson, and .NET and PHP. */
const careful = [/[^\x20-\x7E]/g, /[<>&]/g, /[<>&'=]/g, /[<>&'"+`]|\\"|[^\x20-\x7E]/g];

/** In JSON, in source text and as Node prints an object. */
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
  // A quote may come with its backslash.
  const hex = hexOf(text.at(-1) ?? '', 4);
  return String.raw`\u${digits === 'upper' ? hex.toUpperCase() : hex}`;
};

/** Which of these are escaped, and how, differs from writer to writer. */
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
