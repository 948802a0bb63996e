import { gunzipSync } from 'node:zlib';

/** Returns the text and what it decodes to in each encoding, up to four levels deep, without the masking code. */
export function decodedTexts(text: string, depth = 4): string[] {
  const found = new Set([text]);
  let latest = [text];
  for (let level = 0; level < depth; level += 1) {
    latest = latest.flatMap(decodeOnce).filter((one) => !found.has(one));
    for (const one of latest) found.add(one);
  }
  return [...found];
}

const decodeOnce = (text: string): string[] => [
  text.replaceAll(/\\u([\da-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
  text.replaceAll(/\\(["\\/])/g, '$1'),
  text.replaceAll(/(?:%[\da-f]{2})+/gi, (part) => Buffer.from(part.replaceAll('%', ''), 'hex').toString()),
  text.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code))),
  ...(text.match(/[\w+/-]{12,}/g) ?? []).flatMap(fromBase64),
  ...(text.match(/(?:[\da-f]{2}[ :-]?){6,}/gi) ?? []).map((part) =>
    Buffer.from(part.replaceAll(/[^\da-f]/gi, ''), 'hex').toString('latin1'),
  ),
  ...(text.match(/(?:\d{1,3},\s*){6,}\d{1,3}/g) ?? []).map((part) =>
    String.fromCharCode(...part.split(',').map(Number)),
  ),
];

function fromBase64(part: string): string[] {
  const bytes = Buffer.from(part, 'base64');
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return [gunzipSync(bytes).toString('latin1')];
  // The encoded text may begin at any offset.
  return [0, 1, 2, 3].map((skip) => Buffer.from(part.slice(skip), 'base64').toString('latin1'));
}
