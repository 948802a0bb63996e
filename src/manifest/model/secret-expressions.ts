import { recordAt } from '../../base/value-at-path.js';

/** The only valid format for a secret. */
export const secretExpression = /^\$\{\{ *env\.([A-Za-z_][A-Za-z0-9_]*) *\}\}$/;
export const isSecretName = (key: string): boolean => /^[A-Za-z_][\w.-]{0,99}$/.test(key);

export interface DeclaredVariable {
  name: string;
  variable: string;
}

/** Returns the secrets whose value is a valid expression with an environment variable. */
export const declaredVariables = (value: unknown): DeclaredVariable[] =>
  Object.entries(recordAt(value, 'secrets')).flatMap(([name, text]) => {
    const variable = typeof text === 'string' ? secretExpression.exec(text)?.[1] : undefined;
    return variable ? [{ name, variable }] : [];
  });
