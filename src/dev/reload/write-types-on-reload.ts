import { readEnvironmentTypes, type Manifest } from '../../manifest/index.js';
import { replaceFile } from '../../base/node/replace-file.js';

/** Updates an existing `platform-env.d.ts` when the manifest changes. */
export function writeTypesOnReload(manifest: Manifest): void {
  try {
    const { file, before, after, fits } = readEnvironmentTypes(manifest);
    if (before !== undefined && !fits) replaceFile(file, after);
  } catch {
    // A file that cannot be written does not stop the session. "platform types" shows the reason.
  }
}
