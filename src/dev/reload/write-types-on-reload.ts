import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { renderEnvironmentTypes, type Manifest } from '../../manifest/index.js';
import { replaceFile } from '../../base/node/replace-file.js';
import { readRegularFile } from '../../diagnostics/regular-file.js';

/** Projects that have `platform-env.d.ts` get it anew when the manifest has changed. */
export function writeTypesOnReload(manifest: Manifest): void {
  const file = join(manifest.folder, 'platform-env.d.ts');
  if (!existsSync(file)) return;
  const types = renderEnvironmentTypes(manifest);
  try {
    if (readRegularFile(file).toString('utf8') !== types) replaceFile(file, types);
  } catch {
    // A file that can't be written is no reason to stop: "platform types" says why.
  }
}
