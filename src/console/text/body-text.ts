import type { BodyResource } from '../api/response-types.js';

/** What can be read of a body; bytes are only counted. */
export function bodyText({ encoding, content }: BodyResource): string {
  if (encoding === 'utf-8') return content;
  const count = atob(content).length;
  return count === 1 ? '1 byte that is no text' : `${count} bytes that are no text`;
}
