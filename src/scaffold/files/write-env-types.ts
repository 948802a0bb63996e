import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { renderDiff } from '../../diagnostics/index.js';
import { renderEnvironmentTypes, type Manifest } from '../../manifest/index.js';
import { replaceFile } from '../../base/node/replace-file.js';
import { readRegularFile } from '../../diagnostics/regular-file.js';

export const typesFileName = 'platform-env.d.ts';

export interface RefreshedTypes {
  file: string;
  /** Whether the file was as the manifest says. */
  fits: boolean;
  /** Whether there was none. */
  missing: boolean;
  diff: string;
}

/** Makes `platform-env.d.ts` from the manifest, or only looks whether it fits. */
export function refreshTypes(manifest: Manifest, { write }: { write: boolean }): RefreshedTypes {
  const file = join(manifest.folder, typesFileName);
  const before = existsSync(file) ? readRegularFile(file).toString('utf8') : undefined;
  const after = renderEnvironmentTypes(manifest);
  // A checkout on Windows may have other line ends.
  const fits = before?.replaceAll('\r\n', '\n') === after;
  if (write && !fits) replaceFile(file, after);
  const diff = renderDiff(typesFileName, { text: before ?? '' }, { text: after });
  return { file, fits, missing: before === undefined, diff };
}
