import type { TemplateSecret } from './template-list.js';

/** Values that work locally, where the local platform plays the other side too. */
export function generateSecretValues(
  secrets: readonly TemplateSecret[],
  random: (bytes: number) => Uint8Array,
): Record<string, string> {
  const hex = (): string => Array.from(random(16), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return Object.fromEntries(secrets.map(({ name, prefix }) => [name, `${prefix}${hex()}`]));
}
