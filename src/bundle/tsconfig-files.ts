import { dirname, resolve } from 'node:path';
import { readRegularFile } from '../diagnostics/regular-file.js';

/** A tsconfig with all that it extends, itself first, whether they exist or not. Those of packages are left out. */
export function tsconfigFiles(file: string | undefined, found = new Set<string>()): Set<string> {
  if (file === undefined || found.has(file)) return found;
  found.add(file);
  for (const base of basesIn(read(file))) {
    const path = resolve(dirname(file), base);
    tsconfigFiles(path.endsWith('.json') ? path : `${path}.json`, found);
  }
  return found;
}

/** Told from the text: comments and stray commas are allowed there. */
function basesIn(text: string): string[] {
  const [, value = ''] = /"extends"\s*:\s*(\[[^\]]*\]|"[^"]*")/.exec(text) ?? [];
  return Array.from(value.matchAll(/"(\.{0,2}\/[^"]*|\.\.?)"/g), ([, path = '']) => path);
}

function read(file: string): string {
  try {
    return readRegularFile(file).toString('utf8');
  } catch {
    return '';
  }
}
