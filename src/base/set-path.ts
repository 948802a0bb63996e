import { ownProperty } from './own-property.js';

export interface PathProblem {
  message: string;
  help: string;
}

/**
 * Sets a path such as `visitor.cookies.theme` or `updatedBy.0.displayName` in a document. Creates missing objects,
 * and appends to a list if the index equals its length. Returns the problem if the path is invalid.
 */
export function setPath(document: object, path: string, value: unknown): PathProblem | undefined {
  const keys = path.split('.');
  if (keys.includes(''))
    return { message: `${path} is not a valid path.`, help: 'Use a path such as visitor.ip.' };
  let at = document as Record<string, unknown>;
  for (const [depth, key] of keys.entries()) {
    if (Array.isArray(at) && !isIndex(key, at.length))
      return noIndex(key, keys.slice(0, depth).join('.') || 'the list', at.length);
    if (depth === keys.length - 1) define(at, key, value);
    else {
      const copy = copyOf(ownProperty(at, key));
      define(at, key, copy);
      at = copy;
    }
  }
  return undefined;
}

const isIndex = (key: string, length: number): boolean =>
  /^(?:0|[1-9]\d*)$/.test(key) && Number(key) <= length;

const noIndex = (key: string, list: string, length: number): PathProblem => ({
  message: `${key} is not an index of ${list}, which has ${length === 1 ? '1 item' : `${length} items`}.`,
  help:
    length === 0
      ? 'Use index 0 to add the first item.'
      : `Use a number from 0 to ${length}, where ${length} appends an item.`,
});

function copyOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return {};
  return (Array.isArray(value) ? [...(value as unknown[])] : { ...value }) as Record<string, unknown>;
}

/** Treats `__proto__` like any other key. */
const define = (object: object, key: string, value: unknown): void =>
  void Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
