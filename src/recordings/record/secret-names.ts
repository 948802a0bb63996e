/** Fields with such a name are always secret. */
const strong =
  /token|secret|password|passwd|passphrase|passcode|pwd|credential|authorization|cookie|session|jwt|bearer|assertion|saml|signature|api[_-]?key|(?:private|access|client|signing|encryption|webhook|license)[_-]?key|connection[_-]?string|(?:^|[_-])(?:t?otp|dsn|pat|pass)(?:$|[_-])/i;

/** Names that count only in configuration and users' input. Elsewhere, `key` and `code` have many other meanings. */
const weak = /(?:^|[_-])(?:key|code|pin|auth)$|[a-z](?:Key|Code)$/i;

/** Names that look like those of secrets, but belong to other values. */
const harmless =
  /(?:type|count|ur[il]|endpoint|expire[sd]?|expiry|expiration|expires[_-]?(?:in|at)|length|limit|usage|tokens|scopes?|name|label|description|status|method|enabled|required|valid)$/i;

export type Field = 'input' | 'data';

/** Whether a field's name shows that its value is a secret. */
export function isSecretName(name: string, field: Field): boolean {
  if (harmless.test(name)) return false;
  return strong.test(name) || (field === 'input' && weak.test(name));
}

/** Whether a value could be a secret at all. */
export const canBeSecret = (value: unknown): value is string =>
  typeof value === 'string' && value.length >= 4 && !/^(?:true|false|null|none|bearer|basic)$/i.test(value);
