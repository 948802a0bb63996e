/** Returns a source's path from a source map. esbuild percent-encodes special characters there. */
export function sourcePath(source: string): string {
  try {
    return decodeURIComponent(source);
  } catch {
    return source;
  }
}
