/** Returns a source's path in a source map, in which esbuild percent-encodes special characters. */
export function sourcePath(source: string): string {
  try {
    return decodeURIComponent(source);
  } catch {
    return source;
  }
}
