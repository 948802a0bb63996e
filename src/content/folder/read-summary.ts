/** The order and titles from a `SUMMARY.md`, by file path. */
export type Summary = ReadonlyMap<string, { at: number; title: string }>;

const entry = /^\s*[*+-]\s+\[((?:[^[\]\\]|\\.){1,500})\]\(\s*<?([^()<>\s]{1,1000})>?(?:\s+"[^"]*")?\s*\)/;

/** Reads `* [Title](path.md)` lines. Links to other sites are not pages. */
export function readSummary(text: string): Summary {
  const found = new Map<string, { at: number; title: string }>();
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [, title, target] = entry.exec(line.slice(0, 2000)) ?? [];
    if (title === undefined || target === undefined || /^[a-z]+:/i.test(target)) continue;
    const path = decode(target.replace(/[#?].*$/, '')).replace(/^\.?\//, '');
    if (!found.has(path)) found.set(path, { at: found.size, title: title.replace(/\\(.)/g, '$1') });
  }
  return found;
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
