import { relative, resolve, sep } from 'node:path';

/** Relative to `cwd`, with `/` on every system. */
export function relativePath(cwd: string, file: string): string {
  const path = relative(cwd, resolve(cwd, file));
  return sep === '\\' ? path.replaceAll(sep, '/') : path;
}
