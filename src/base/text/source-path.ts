/** Returns the path of a source file from a source map, in which esbuild percent-encodes special characters. */
export function sourcePath(source: string): string {
  try {
    return decodeURIComponent(source);
  } catch {
    return source;
  }
}
