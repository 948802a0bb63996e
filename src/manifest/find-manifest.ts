import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const manifestFileName = 'platform-manifest.yaml';

/** The manifest of the folder, or of the nearest one above. */
export function findManifest(startFolder: string): string | undefined {
  const file = join(startFolder, manifestFileName);
  if (existsSync(file)) return file;
  const parent = dirname(startFolder);
  return parent === startFolder ? undefined : findManifest(parent);
}
