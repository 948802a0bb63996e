import { createHash, timingSafeEqual } from 'node:crypto';

/** Whether a request carries the key of this start. Digests are compared: the time it takes says nothing about the key. */
export function createKeyCheck(key: string): (request: Request) => boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  const expected = digest(key);
  return ({ headers }) => {
    const given = headers.get('x-platform-token');
    return given !== null && timingSafeEqual(digest(given), expected);
  };
}
