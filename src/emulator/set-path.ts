import { invalid } from './http-error.js';
import { isObject } from './read-json.js';

/** Sets `visitor.cookies.theme` in a document, and makes what is missing on the way. */
export function setPath(document: Record<string, unknown>, path: string, value: unknown): void {
  const keys = path.split('.');
  const last = keys.pop();
  if (!last || keys.includes('')) throw invalid(`${path} is not a path such as visitor.ip.`, { path });
  let at = document;
  for (const key of keys) {
    const next = Object.hasOwn(at, key) ? at[key] : undefined;
    const copy = isObject(next) ? { ...next } : {};
    define(at, key, copy);
    at = copy;
  }
  define(at, last, value);
}

/** `__proto__` is a key like any other here. */
const define = (object: object, key: string, value: unknown): void =>
  void Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
