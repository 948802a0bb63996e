import { readEnvironmentTypes, type Manifest } from '../../manifest/index.js';
import { replaceFile } from '../../base/node/replace-file.js';

/** Updates an existing `platform-env.d.ts` when the manifest changes. */
export function writeTypesOnReload(manifest: Manifest): void {
  try {
    const { file, before, after, fits } = readEnvironmentTypes(manifest);
    if (before !== undefined && !fits) replaceFile(file, after);
  } catch {
    // If the file cannot be written, the session continues. "platform types" shows the reason.
  }
}
