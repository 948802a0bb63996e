import { visibleLines } from '../../../../base/escape-control-characters.js';

const mostLines = 10;
const mostCharacters = 1000;

/** Returns the beginning of a receiver's response, made safe to print. */
export function responseLines(body: Uint8Array): string[] {
  const text = new TextDecoder().decode(body).trimEnd();
  if (text === '') return [];
  const lines = visibleLines(text.slice(0, mostCharacters));
  const cut = text.length > mostCharacters || lines.length > mostLines;
  return [...lines.slice(0, mostLines), ...(cut ? ['…'] : [])];
}
