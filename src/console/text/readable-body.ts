import type { BodyResource } from '../../contract/basics/resources.js';

export type BodyView =
  | { kind: 'empty' }
  | { kind: 'json'; value: unknown; text: string }
  | { kind: 'text'; text: string }
  | { kind: 'binary' };

/** Longer bodies are shown as text, because a tree with a million nodes would freeze the page. */
const mostJson = 2 * 1024 * 1024;

/** Chooses how to show a body, based on its bytes, not its content type. */
export function readBody(bytes: Uint8Array): BodyView {
  if (bytes.length === 0) return { kind: 'empty' };
  const text = decode(bytes);
  if (text === undefined) return { kind: 'binary' };
  if (/^\s*[[{"]/.test(text) && text.length <= mostJson) {
    try {
      return { kind: 'json', value: JSON.parse(text), text };
    } catch {
      return { kind: 'text', text };
    }
  }
  return { kind: 'text', text };
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    // eslint-disable-next-line no-control-regex
    return /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Returns a body as text, or only its size if it is binary. */
export function bodyText({ encoding, content }: BodyResource): string {
  if (encoding === 'utf-8') return content;
  const count = atob(content).length;
  return count === 1 ? '1 byte of binary data' : `${count} bytes of binary data`;
}
