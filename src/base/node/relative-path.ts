import { relative, resolve, sep } from 'node:path';

/** Returns a path relative to `cwd`, with `/` as the separator on every system. */
export function relativePath(cwd: string, file: string): string {
  const path = relative(cwd, resolve(cwd, file));
  return sep === '\\' ? path.replaceAll(sep, '/') : path;
}
