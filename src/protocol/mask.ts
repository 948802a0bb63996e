/** Hides secrets in texts that people and other programs may see. */
export interface Mask {
  (text: string): string;
  /** Every spelling that is looked for. */
  spellings: string[];
}

const shortest = 4;
export const hiddenSecret = '•••';

/** Finds each secret as it is, URL-encoded, base64-encoded, in hex and escaped as JSON. */
export const createMask = (secrets: Iterable<string>): Mask => {
  const spellings = [...new Set([...secrets].flatMap(spell))].filter(({ length }) => length >= shortest);
  return Object.assign(maskSpellings(spellings), { spellings });
};

/** Replaces these exact texts, four characters long or more; of two that begin at the same place, the longer. */
export function maskSpellings(spellings: string[], hidden = hiddenSecret): (text: string) => string {
  const longestFirst = [...spellings].sort((a, b) => b.length - a.length);
  const begins = new Map<number, string[]>();
  const maybe = new Uint8Array(65536);
  for (const spelling of longestFirst) {
    let start = 0;
    for (let i = 0; i < shortest; i += 1) start = roll(start, spelling, i);
    maybe[start] = 1;
    begins.set(start, [...(begins.get(start) ?? []), spelling]);
  }

  return (text) => {
    let result = '';
    let copied = 0;
    let last = 0;
    for (let end = 0; end < text.length; end += 1) {
      last = roll(last, text, end);
      if (maybe[last] === 0) continue;
      const at = end + 1 - shortest;
      if (at < copied) continue;
      const found = begins.get(last)?.find((spelling) => text.startsWith(spelling, at));
      if (found === undefined) continue;
      result += text.slice(copied, at) + hidden;
      copied = at + found.length;
      end = copied - 1;
    }
    return copied === 0 ? text : result + text.slice(copied);
  };
}

/** Of the last four characters: each is shifted out by the fourth after it. */
const roll = (before: number, text: string, at: number): number =>
  ((before << 4) ^ text.charCodeAt(at)) & 0xffff;

function spell(secret: string): string[] {
  if (secret.length < shortest) return [];
  const bytes = new TextEncoder().encode(secret);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const whole = new TextDecoder().decode(bytes);
  const url = encodeURIComponent(whole);
  // A form leaves the asterisk as it is, and the query of a URL all but the apostrophe.
  const form = url.replaceAll('%20', '+').replaceAll(/[!'()~]/g, percent);
  const query = encodeURI(whole).replaceAll("'", '%27');
  const encoded = [encodeURI(whole), query, url, url.replaceAll(/[!'()*]/g, percent), form];
  const base64 = [0, 1, 2].map((shift) => base64At(bytes, shift));
  const json = JSON.stringify(secret).slice(1, -1);
  return [
    secret,
    ...encoded,
    ...encoded.map((text) => text.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())),
    ...base64,
    ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
    hex,
    hex.toUpperCase(),
    json,
    json.replaceAll('/', '\\/'),
    json.replaceAll(/[^\x20-\x7e]/g, unicode),
  ];
}

const percent = (character: string): string =>
  `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;

const unicode = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** The part of the base64 that is the same whatever stands before (`shift` bytes of it) and after. */
function base64At(bytes: Uint8Array, shift: number): string {
  const text = btoa('\0'.repeat(shift) + String.fromCharCode(...bytes));
  return text.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6));
}
