/** Fields with such a name are always secret. */
const strong =
  /token|secret|password|passwd|passphrase|passcode|pwd|credential|authorization|cookie|session|jwt|bearer|assertion|saml|signature|(?:device|user|verification)[_-]?code|code[_-]?verifier|api[_-]?key|(?:private|access|account|client|signing|encryption|webhook|license|subscription|functions?|admin|master|auth|shared|deploy|application)[_-]?key|connection[_-]?string|(?:^|[_-])(?:t?otp|dsn|pat|pass)(?:$|[_-])/i;

/** Names that count only in configuration and users' input. Elsewhere, `key` and `code` have many other meanings. */
const weak = /(?:^|[_-])(?:key|code|pin|auth)$|[a-z](?:Key|Code)$/i;

/** Names that count only if the value looks generated. */
const generated = /(?:^|[_-])(?:sig|hmac|sid|ticket)$/i;

/** Values with such names are usually short words or numbers. */
const alwaysSecret = /pass|pwd|secret|otp|api[_-]?key|credential|private|_code|verifier/i;

/** Names that look like those of secrets, but belong to other values. */
const harmless =
  /(?:type|count|ur[il]|endpoint|expire[sd]?|expiry|expiration|expires[_-]?(?:in|at)|length|limit|usage|tokens|scopes?|name|label|description|status|method|enabled|required|valid)$/i;

/** Whether a header contains a key that authorizes a request. In other fields, keys have many other meanings. */
export const isKeyHeader = (name: string): boolean =>
  /^(?:.*-)?(?:key|art-api|client-principal|sas)$/i.test(name) &&
  !/idempotency|cache|surrogate|websocket|sort|partition/i.test(name);

export type Field = 'input' | 'data';

/** Whether a field's name shows that its value is a secret. */
export function isSecretName(name: string, field: Field): boolean {
  if (harmless.test(name)) return false;
  return strong.test(name) || generated.test(name) || (field === 'input' && weak.test(name));
}

/**
 * Whether a value is too short and plain to be a secret, although its field's name sounds like one: `key: ABC-12` is more
 * likely to be a project.
 */
export function isPlain(name: string, value: string): boolean {
  if (generated.test(name)) return value.length < 8 || !looksRandom(value);
  if (!strong.test(name)) return value.length < 20 && !(value.length >= 8 && looksRandom(value));
  return value.length < 8 && /^(?:[a-z]+|\d+)$/i.test(value) && !alwaysSecret.test(name);
}

/** Whether letters and digits are mixed, as in a generated secret. */
export const looksRandom = (value: string): boolean => /\d/.test(value) && /[A-Za-z]/.test(value);

export const canBeSecret = (value: unknown): value is string =>
  typeof value === 'string' && value.length >= 4 && !/^(?:true|false|null|none|bearer|basic)$/i.test(value);

/** Whether a value is a PIN or the code of a card. */
export const isCode = (name: string, value: string): boolean =>
  /(?:^|[_-])(?:pin|cv[vc]2?)$/i.test(name) && /^\d{3,8}$/.test(value);

/** Whether a value is one long word that looks generated. */
export const isTokenLike = (value: string): boolean => /^\S{12,}$/.test(value) && looksRandom(value);
