/** Values as they are written in a source file. */

export const quote = (text: string): string =>
  `'${JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`)}'`;

export const literal = (value: unknown): string =>
  JSON.stringify(value, undefined, 2).replaceAll('\n', '\n  ');

export function renderBytes(bytes: Uint8Array): string {
  const text = readText(bytes);
  if (text !== undefined) return quote(text);
  const base64 = Buffer.from(bytes).toString('base64');
  return `Uint8Array.from(atob('${base64}'), (character) => character.charCodeAt(0))`;
}

export function readText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
