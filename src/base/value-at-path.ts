/** Functions for reading a document of unknown shape. */

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  let current = value;
  for (const part of path) {
    if (Array.isArray(current) && typeof part === 'number') current = current[part];
    else if (isRecord(current) && Object.hasOwn(current, part)) current = current[part];
    else return undefined;
  }
  return current;
}

export function recordAt(value: unknown, ...path: (string | number)[]): Record<string, unknown> {
  const found = valueAt(value, path);
  return isRecord(found) ? found : {};
}

export function listAt(value: unknown, ...path: (string | number)[]): unknown[] {
  const found = valueAt(value, path);
  return Array.isArray(found) ? found : [];
}

export function textAt(value: unknown, ...path: (string | number)[]): string | undefined {
  const found = valueAt(value, path);
  return typeof found === 'string' ? found : undefined;
}

/** Returns the strings in a list, each with its path. Skips all other items. */
export const textsAt = (value: unknown, ...path: (string | number)[]): { text: string; index: number }[] =>
  listAt(value, ...path).flatMap((text, index) => (typeof text === 'string' ? [{ text, index }] : []));
