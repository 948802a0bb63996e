import { isUtf8 } from 'node:buffer';
import { UserError } from '../../base/user-error.js';

export const isText = (bytes: Uint8Array): boolean => isUtf8(bytes) && !bytes.includes(0);

/** Returns the text of a file that will be rewritten. Rejects bytes that writing the text back would damage. */
export function decodeText(bytes: Uint8Array, path: string): string {
  if (isText(bytes)) return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  throw new UserError(
    'not-utf-8',
    `${path} is not UTF-8, so nothing was written.`,
    'Save it as UTF-8, then run the command again.',
  );
}
