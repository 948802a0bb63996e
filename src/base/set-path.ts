import { ownProperty } from './own-property.js';

/**
 * Sets a path such as `visitor.cookies.theme` in a document, and creates missing objects. Returns false if
 * the path is invalid.
 */
export function setPath(document: object, path: string, value: unknown): boolean {
  const keys = path.split('.');
  const last = keys.pop();
  if (!last || keys.includes('')) return false;
  let at = document as Record<string, unknown>;
  for (const key of keys) {
    const next = ownProperty(at, key);
    const copy = typeof next === 'object' && next !== null ? { ...next } : {};
    define(at, key, copy);
    at = copy;
  }
  define(at, last, value);
  return true;
}

/** Treats `__proto__` like any other key. */
const define = (object: object, key: string, value: unknown): void =>
  void Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
