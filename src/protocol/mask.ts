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

/** Replaces these exact texts; of two that begin at the same place, the longer. */
export function maskSpellings(spellings: string[], hidden = hiddenSecret): (text: string) => string {
  const longestFirst = [...spellings].sort((a, b) => b.length - a.length);
  const begins = new Map<number, string[]>();
  const maybe = new Uint8Array(65536);
  for (const spelling of longestFirst) {
    const start = pair(spelling, 0);
    maybe[start] = 1;
    begins.set(start, [...(begins.get(start) ?? []), spelling]);
  }

  const find = (text: string, at: number): string | undefined =>
    begins.get(pair(text, at))?.find((spelling) => text.startsWith(spelling, at));

  return (text) => {
    let result = '';
    let copied = 0;
    for (let at = 0; at < text.length - 1; at += 1) {
      if (maybe[pair(text, at)] === 0) continue;
      const found = find(text, at);
      if (found === undefined) continue;
      result += text.slice(copied, at) + hidden;
      copied = at + found.length;
      at = copied - 1;
    }
    return copied === 0 ? text : result + text.slice(copied);
  };
}

const pair = (text: string, at: number): number =>
  ((text.charCodeAt(at) & 0xff) << 8) | (text.charCodeAt(at + 1) & 0xff);

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
