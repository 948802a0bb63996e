/** Decodes the path of a source file in a source map. esbuild percent-encodes special characters in these paths. */
export function sourcePath(source: string): string {
  try {
    return decodeURIComponent(source);
  } catch {
    return source;
  }
}
