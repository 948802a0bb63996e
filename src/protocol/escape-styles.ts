/** Returns the ways a string can be written in URL paths, queries and parameters. */
export function inUrls(text: string, bytes: Uint8Array): string[] {
  const wellFormed = new TextDecoder().decode(new TextEncoder().encode(text));
  const whole = encodeURI(wellFormed);
  const encoded = [
    whole,
    whole.replaceAll("'", '%27'),
    ...inParameters(wellFormed),
    ...byteByByte(bytes, percent).map((all) => all.join('')),
  ];
  // If a URL is a parameter of another URL, it is encoded twice.
  return [...new Set([...encoded, ...encoded.flatMap(inParameters), ...inParts(wellFormed)])];
}

/**
 * Returns a string as written in a user name, in a path segment, by Python's `quote` and by JavaScript's `escape`. Each of
 * them leaves different characters unescaped.
 */
const inParts = (text: string): string[] =>
  ['+&$,', '+&$,=:@', '/', '+/@*'].map((kept) =>
    encodeURIComponent(text).replaceAll(/%[\dA-F]{2}/g, (escaped) => {
      const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
      return kept.includes(character) ? character : escaped;
    }),
  );

function inParameters(text: string): string[] {
  const url = encodeURIComponent(text);
  // Of the characters `!'()*~`, forms escape all except the asterisk, and URL queries escape only the apostrophe.
  const form = url.replaceAll('%20', '+').replaceAll(/[!'()~]/g, (found) => percent(found.charCodeAt(0)));
  return [url, url.replaceAll(/[!'()*]/g, (found) => percent(found.charCodeAt(0))), form];
}

/** Escapes all bytes, all except letters and digits, or all outside ASCII. */
const byteByByte = (bytes: Uint8Array, escape: (byte: number) => string): string[][] =>
  [/[^]/, /[^a-z\d]/i, /[^ -~]/].map((escaped) =>
    Array.from(bytes, (byte) => {
      const character = String.fromCharCode(byte);
      return escaped.test(character) ? escape(byte) : character;
    }),
  );

const hexOf = (code: number, digits: number): string => code.toString(16).padStart(digits, '0');
const percent = (byte: number): string => `%${hexOf(byte, 2)}`;
const unicode = (unit: number): string => String.raw`\u${hexOf(unit, 4)}`;
/** Escapes like JavaScript, where `\x` works only for character codes up to 0xff. */
const hexEscape = (unit: number): string => (unit > 0xff ? unicode(unit) : String.raw`\x${hexOf(unit, 2)}`);

/** Characters that some JSON writers (Go, Gson, .NET and PHP) escape even though JSON does not require it. */
const careful = [/[^\x20-\x7E]/g, /[<>&]/g, /[<>&'=]/g, /[<>&'"+`]|\\"|[^\x20-\x7E]/g];

/** Returns the ways a string can be written in JSON, in source code, and in an object printed by Node. */
export function inStrings(text: string, bytes: Uint8Array): string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const printed = json.replaceAll(String.raw`\"`, '"');
  // The match may be a quote together with its backslash.
  const last = (escape: (unit: number) => string) => (found: string) =>
    escape(found.charCodeAt(found.length - 1));
  const strings = [
    json,
    json.replaceAll('/', String.raw`\/`),
    printed,
    printed.replaceAll("'", String.raw`\'`),
    ...careful.map((pattern) => json.replaceAll(pattern, last(unicode))),
    ...[/[^]/g, /[^a-z\d]/gi].flatMap((pattern) =>
      [unicode, hexEscape].map((escape) => text.replaceAll(pattern, last(escape))),
    ),
    json.replaceAll(/[^\x20-\x7E]/g, last(hexEscape)),
    ...byteByByte(bytes, hexEscape).map((all) => all.join('')),
  ];
  // Strings within strings, up to three levels deep, such as a JSON value in other JSON.
  const inside = [...new Set(strings)].map(quoteAgain);
  return [...strings, ...inside, ...inside.map(quoteAgain)];
}

const quoteAgain = (text: string): string => text.replaceAll(/["\\]/g, String.raw`\$&`);

/** Characters that programs escape differently in XML and HTML. */
const entities: [character: string, written: string[]][] = [
  ['<', ['&lt;']],
  ['>', ['&gt;', '>']],
  ['"', ['&quot;', '&#34;', '"']],
  ["'", ['&#39;', '&#x27;', '&#039;', '&apos;', "'"]],
];

/** HTML character names: those in ASCII, and those from U+00A0 to U+00FF in order. */
const inAscii: Record<string, string> = {
  '\t': 'Tab',
  '\n': 'NewLine',
  '!': 'excl',
  '"': 'quot',
  '#': 'num',
  $: 'dollar',
  '%': 'percnt',
  '&': 'amp',
  "'": 'apos',
  '(': 'lpar',
  ')': 'rpar',
  '*': 'ast',
  '+': 'plus',
  ',': 'comma',
  '.': 'period',
  '/': 'sol',
  ':': 'colon',
  ';': 'semi',
  '<': 'lt',
  '=': 'equals',
  '>': 'gt',
  '?': 'quest',
  '@': 'commat',
  '[': 'lsqb',
  '\\': 'bsol',
  ']': 'rsqb',
  '^': 'Hat',
  _: 'lowbar',
  '`': 'grave',
  '{': 'lcub',
  '|': 'verbar',
  '}': 'rcub',
};
const inLatin1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'.split(
    ' ',
  );

const decimal = (character: string): string => `&#${character.codePointAt(0)};`;
const hexadecimal = (character: string): string => `&#x${(character.codePointAt(0) ?? 0).toString(16)};`;
const named = (character: string, otherwise: (character: string) => string): string => {
  const name = inAscii[character] ?? inLatin1[character.charCodeAt(0) - 0xa0];
  return name === undefined ? otherwise(character) : `&${name};`;
};

export function inHtml(text: string): string[] {
  let forms = [text.replaceAll('&', '&amp;')];
  for (const [character, written] of entities)
    if (text.includes(character))
      forms = forms.flatMap((form) => written.map((entity) => form.replaceAll(character, entity)));
  const writers = [
    decimal,
    hexadecimal,
    (character: string) => named(character, decimal),
    (character: string) => named(character, hexadecimal),
    (character: string) => named(character, (other) => other),
  ];
  return [
    ...forms,
    ...writers.flatMap((write) => [
      ...forms.map((form) => form.replaceAll(/[^\0-\x7F]/gu, write)),
      text.replaceAll(/[^]/gu, write),
      text.replaceAll(/[^a-z\d]/giu, write),
    ]),
  ];
}

/**
 * Returns the ways a string can be written with JavaScript's `\u{…}`, in email (quoted-printable), in SQL and CSV, and in a
 * shell argument.
 */
export const inOtherLanguages = (text: string, bytes: Uint8Array): string[] => [
  ...[/[^]/gu, /[^\x20-\x7E]/gu].map((pattern) =>
    text.replaceAll(pattern, (found) => String.raw`\u{${(found.codePointAt(0) ?? 0).toString(16)}}`),
  ),
  Array.from(bytes, (byte) =>
    byte < 0x20 || byte > 0x7e || byte === 0x3d ? `=${hexOf(byte, 2)}` : String.fromCharCode(byte),
  ).join(''),
  text.replaceAll("'", "''"),
  text.replaceAll('"', '""'),
  text.replaceAll("'", String.raw`'\''`),
  text.replaceAll("'", `'"'"'`),
  text.replaceAll(/[^\w@%+=:,./-]/g, String.raw`\$&`),
  text.replaceAll(/["$`\\]/g, String.raw`\$&`),
];
