import { hiddenSecret } from '../../protocol/mask-secrets.js';

interface Masks {
  text(text: string): string;
  /** Masks a property name. Most names are the platform's own. */
  name(name: string): string;
}

/** Returns the value with all its text masked, including property names and numbers that are secrets. */
export function maskValue<T>(value: T, { text, name }: Masks): T {
  const walk = (part: unknown): unknown => {
    if (typeof part === 'string') return text(part);
    if (typeof part === 'number') return text(String(part)) === hiddenSecret ? hiddenSecret : part;
    if (Array.isArray(part)) return part.map(walk);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [name(key), walk(inner)]));
  };
  return walk(value) as T;
}

/** Joins all text that `maskValue` would check. */
export function textsIn(value: unknown): string {
  let texts = '';
  const walk = (part: unknown): void => {
    if (typeof part === 'string' || typeof part === 'number') texts += `${part}\n`;
    else if (Array.isArray(part)) part.forEach(walk);
    else if (typeof part === 'object' && part !== null) {
      for (const [name, inner] of Object.entries(part)) {
        texts += `${name}\n`;
        walk(inner);
      }
    }
  };
  walk(value);
  return texts;
}
