import { inHtml, inOtherLanguages, inStrings, inUrls } from './escape-styles.js';

/** Shorter secrets are not masked, because they occur in too many words. */
export const shortestSecret = 4;

/** Shorter secrets are masked only in their exact case, because otherwise too many ordinary words would match. */
const shortestInAnyCase = 8;

/** One way to write a secret. */
export interface Spelling {
  text: string;
  /** Whether the case of the letters A to Z is ignored. These letters are in lower case in `text`. */
  anyCase: boolean;
}

/**
 * Returns all the ways programs write this secret. The lines of a multiline secret are also masked individually, because
 * logs show them separately.
 */
export function spellingsOf(secret: string): Spelling[] {
  const lines = secret.split(/\r\n|\r|\n/).map((line) => line.trim());
  return (lines.length > 1 ? [secret, ...lines] : [secret])
    .filter(({ length }) => length >= shortestSecret)
    .flatMap(spellAll)
    .filter(({ text }) => text.length >= shortestSecret);
}

/** Returns the spellings of the secret, and of what it becomes if its bytes are decoded with the wrong encoding. */
function spellAll(secret: string): Spelling[] {
  const bytes = new TextEncoder().encode(secret);
  if (bytes.length === secret.length) return spell(secret, bytes);
  const misread = [...new Set([asLatin1(bytes), new TextDecoder('windows-1252').decode(bytes)])];
  const spellings = [
    ...spell(secret, bytes),
    // Different systems compose accented characters in different ways.
    ...[secret, secret.normalize('NFD'), secret.normalize('NFC')].flatMap(inOtherCase),
    ...misread.flatMap((text) => spell(text, new TextEncoder().encode(text))),
  ];
  if (/[^\0-\u{FF}]/u.test(secret)) return spellings;
  const latin1 = Uint8Array.from(secret, (character) => character.charCodeAt(0));
  return [...spellings, ...spell(new TextDecoder().decode(latin1), latin1)];
}

const asLatin1 = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');

const inOtherCase = (secret: string): Spelling[] =>
  secret.length < shortestInAnyCase
    ? [{ text: secret, anyCase: false }]
    : [secret.toLowerCase(), secret.toUpperCase()].map(inAnyCase);

const inAnyCase = (text: string): Spelling => ({
  text: text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase()),
  anyCase: true,
});

function spell(secret: string, bytes: Uint8Array): Spelling[] {
  const base64 = [0, 1, 2].map((shift) => base64At(bytes, shift));
  const exact = [...base64, ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'))];
  const escaped = [
    ...inBytes(bytes),
    ...inUrls(secret, bytes),
    ...inHtml(secret),
    ...inStrings(secret, bytes),
    ...inOtherLanguages(secret, bytes),
  ];
  return [
    secret.length < shortestInAnyCase ? { text: secret, anyCase: false } : inAnyCase(secret),
    ...exact.map((text) => ({ text, anyCase: false })),
    ...escaped.filter((text) => text !== secret).map(inAnyCase),
  ];
}

/**
 * Returns the different ways programs print bytes: `6162`, `61 62`, `61:62`, `61-62`, `0x61, 0x62`, `97,98`, `97,-98` and
 * `{"0":97,"1":98}`.
 */
function inBytes(bytes: Uint8Array): string[] {
  const pairs = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0'));
  const hex = pairs.join('');
  const inTwos = (text: string): string => text.replaceAll(/.{4}(?!$)/g, '$& ');
  return [
    hex,
    ...[' ', ':', '-', ',', ', '].map((gap) => pairs.join(gap)),
    ...[' ', ',', ', '].map((gap) => pairs.map((pair) => `0x${pair}`).join(gap)),
    inTwos(hex),
    `${hex.slice(0, 2)} ${inTwos(hex.slice(2))}`,
    ...[' ', ',', ', '].flatMap((gap) => [bytes.join(gap), Int8Array.from(bytes).join(gap)]),
    Array.from(bytes, (byte, at) => `"${at}":${byte}`).join(','),
  ];
}

/**
 * Encodes the bytes as base64, as if `shift` other bytes came before them. Returns the part of the base64 text that does not
 * depend on the surrounding bytes.
 */
function base64At(bytes: Uint8Array, shift: number): string {
  const text = btoa('\0'.repeat(shift) + asLatin1(bytes));
  return text.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6));
}
