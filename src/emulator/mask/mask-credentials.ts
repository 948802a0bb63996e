import { hiddenSecret } from '../../protocol/mask-secrets.js';

/** Tokens of other services are secret even if they are not declared: these fields contain nothing else. */
const fields = '(?:access_token|refresh_token|id_token|client_secret|code_verifier)';
const inJson = new RegExp(`("${fields}"\\s*:\\s*")(?:[^"\\\\]|\\\\.)*`, 'g');
const inForm = new RegExp(`((?:^|&)${fields}=)[^&\\s]*`, 'g');

/** Hides the credentials that a token endpoint sends and receives. */
export function maskCredentials(text: string): string {
  const masked = text.replaceAll(inJson, `$1${hiddenSecret}`).replaceAll(inForm, `$1${hiddenSecret}`);
  if (!exchangesCode.test(text)) return masked;
  return masked.replace(codeInJson, `$1${hiddenSecret}`).replace(codeInForm, `$1${hiddenSecret}`);
}

/** Elsewhere, a field with this name is rarely a secret. */
const exchangesCode = /(?:^|&)grant_type=authorization_code(?:&|$)|"grant_type"\s*:\s*"authorization_code"/;
const codeInJson = /("code"\s*:\s*")(?:[^"\\]|\\.)*/;
const codeInForm = /((?:^|&)code=)[^&\s]*/;

/** Hides the authorization code in the URL when a user returns from an OAuth provider. */
export const maskAuthorizationCode = (url: string): string =>
  /[?&]state=/.test(url) ? url.replace(/([?&]code=)[^&#]*/, `$1${hiddenSecret}`) : url;

const secretHeaders = new Set(['cookie', 'set-cookie', 'x-api-key']);
const schemes = new Set(['authorization', 'proxy-authorization']);

/** Hides a header's value if its name implies a secret. Keeps the authorization scheme. */
export function maskHeader([name, value]: [string, string]): [string, string] {
  const key = name.toLowerCase();
  if (secretHeaders.has(key)) return [name, hiddenSecret];
  if (!schemes.has(key)) return [name, value];
  const space = value.indexOf(' ');
  return [name, space < 0 ? hiddenSecret : `${value.slice(0, space)} ${hiddenSecret}`];
}
