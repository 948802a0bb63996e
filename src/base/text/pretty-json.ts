/** Formats JSON. Returns undefined if that would change a value, such as a number with more digits than JavaScript keeps. */
export function formatJson(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const compact = text.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, '$1');
    return compact === JSON.stringify(value) ? JSON.stringify(value, null, 2) : undefined;
  } catch {
    return undefined;
  }
}
