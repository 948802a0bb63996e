/** The same value with every text in it masked, and the names of its properties. */
export function maskValue<T>(value: T, mask: (text: string) => string): T {
  const walk = (part: unknown): unknown => {
    if (typeof part === 'string') return mask(part);
    if (typeof part === 'number') return mask(String(part)) === String(part) ? part : mask(String(part));
    if (Array.isArray(part)) return part.map(walk);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([name, inner]) => [mask(name), walk(inner)]));
  };
  return walk(value) as T;
}

/** All that `maskValue` would look at, in one text. */
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
