import { hiddenSecret } from '../../protocol/mask-secrets.js';

/**
 * Tokens of other services are secret even if they are not declared as secrets: these fields contain
 * nothing else.
 */
const fields = '(?:access_token|refresh_token|id_token|client_secret|code_verifier)';
const inJson = new RegExp(`("${fields}"\\s*:\\s*")(?:[^"\\\\]|\\\\.)*`, 'g');
const inForm = new RegExp(`((?:^|&)${fields}=)[^&\\s]*`, 'g');

/** Hides the credentials that a token endpoint sends and receives. */
export const maskCredentials = (text: string): string =>
  text.replaceAll(inJson, `$1${hiddenSecret}`).replaceAll(inForm, `$1${hiddenSecret}`);

const secretHeaders = new Set(['cookie', 'set-cookie', 'x-api-key']);
const schemes = new Set(['authorization', 'proxy-authorization']);

/** Hides the value of a header whose name implies a secret. The scheme of an authorization is kept. */
export function maskHeader([name, value]: [string, string]): [string, string] {
  const key = name.toLowerCase();
  if (secretHeaders.has(key)) return [name, hiddenSecret];
  if (!schemes.has(key)) return [name, value];
  const space = value.indexOf(' ');
  return [name, space < 0 ? hiddenSecret : `${value.slice(0, space)} ${hiddenSecret}`];
}
