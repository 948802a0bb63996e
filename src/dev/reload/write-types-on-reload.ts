import { readEnvironmentTypes, type Manifest } from '../../manifest/index.js';
import { replaceFile } from '../../base/node/replace-file.js';

/** Projects that have `platform-env.d.ts` get it anew when the manifest has changed. */
export function writeTypesOnReload(manifest: Manifest): void {
  try {
    const { file, before, after, fits } = readEnvironmentTypes(manifest);
    if (before !== undefined && !fits) replaceFile(file, after);
  } catch {
    // A file that can't be written is no reason to stop: "platform types" says why.
  }
}
