import { hiddenSecret } from '../../protocol/mask-secrets.js';
import type { RequestParts } from '../script/script-host.js';

/** The value that a test double receives in place of a secret. */
const madeUpSecret = 'example-secret';

/** Longer bodies are not sent to test doubles, because the whole body must be searched for secrets. */
export const LONGEST_DISGUISED = 512 * 1024;

/** Replaces the secrets that `mask` finds. */
export function disguiseRequest(
  { url, headers, body }: RequestParts,
  mask: (text: string) => string,
): RequestParts {
  const replace = (text: string): string => {
    const masked = mask(text);
    return masked === text ? text : masked.replaceAll(hiddenSecret, madeUpSecret);
  };
  return {
    url: replace(url),
    headers: headers.map(([name, value]) => [name, replaceInHeader(value, replace)]),
    ...(body !== undefined && { body: replaceInBody(body, replace) }),
  };
}

/** A test double can decode `Basic` credentials only if the name and the password are replaced before they are encoded. */
function replaceInHeader(value: string, replace: (text: string) => string): string {
  const basic = /^basic +([\w+/=-]+)$/i.exec(value)?.[1];
  if (basic === undefined) return replace(value);
  return `Basic ${Buffer.from(replace(Buffer.from(basic, 'base64').toString())).toString('base64')}`;
}

/** If the bytes are not valid text, treats each byte as one character. */
function replaceInBody(body: string, replace: (text: string) => string): string {
  const bytes = Buffer.from(body, 'base64');
  const encoding = bytes.equals(Buffer.from(bytes.toString('utf8'))) ? 'utf8' : 'latin1';
  return Buffer.from(replace(bytes.toString(encoding)), encoding).toString('base64');
}
