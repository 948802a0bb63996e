import { recordAt } from '../../base/value-at-path.js';

export const secretExpression = /^\$\{\{ *env\.([A-Za-z_][A-Za-z0-9_]*) *\}\}$/;
export const isSecretName = (key: string): boolean => /^[A-Za-z_][\w.-]{0,99}$/.test(key);

export interface DeclaredVariable {
  name: string;
  variable: string;
  /** Where the value is kept, if the manifest refers to a vault. */
  vault?: string;
}

/** Returns a reference such as `op://vault/item/field`, with or without the brackets of an expression. */
export const vaultReference = (value: unknown): string | undefined =>
  typeof value === 'string'
    ? /^(?:\$\{\{\s*)?["']?([a-z][a-z\d+.-]*:\/\/[^"'{}]*[^"'{}\s])["']?\s*(?:\}\})?$/.exec(value.trim())?.[1]
    : undefined;

/** The environment variable for a secret for which the manifest specifies none. */
export const variableNamed = (secret: string): string =>
  isSecretName(secret) ? secret.replaceAll(/[.-]/g, '_').toUpperCase() : 'NAME';

export const declaredVariables = (value: unknown): DeclaredVariable[] =>
  Object.entries(recordAt(value, 'secrets')).flatMap(([name, text]) => {
    const variable = typeof text === 'string' ? secretExpression.exec(text)?.[1] : undefined;
    const vault = vaultReference(text);
    if (vault !== undefined) return [{ name, variable: variableNamed(name), vault }];
    return variable ? [{ name, variable }] : [];
  });
