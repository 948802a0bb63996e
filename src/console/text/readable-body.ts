import type { BodyResource } from '../../contract/resources.js';

export type BodyView =
  | { kind: 'empty' }
  | { kind: 'json'; value: unknown; text: string }
  | { kind: 'text'; text: string }
  | { kind: 'binary' };

/** Beyond this a body is shown as text, so that a tree of a million nodes is never built. */
const mostJson = 2 * 1024 * 1024;

/** How to show a body: by what it is, not by what its header claims. */
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

/** What can be read of a body; bytes are only counted. */
export function bodyText({ encoding, content }: BodyResource): string {
  if (encoding === 'utf-8') return content;
  const count = atob(content).length;
  return count === 1 ? '1 byte that is no text' : `${count} bytes that are no text`;
}
