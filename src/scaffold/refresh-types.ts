import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderDiff } from '../diagnostics/index.js';
import { renderEnvironmentTypes, replaceFile, type Manifest } from '../manifest/index.js';

export const typesFileName = 'platform-env.d.ts';

export interface RefreshedTypes {
  file: string;
  /** Whether the file was as the manifest says. */
  fits: boolean;
  diff: string;
}

/** Makes `platform-env.d.ts` from the manifest, or only looks whether it fits. */
export function refreshTypes(manifest: Manifest, { write }: { write: boolean }): RefreshedTypes {
  const file = join(manifest.folder, typesFileName);
  const before = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  const after = renderEnvironmentTypes(manifest);
  const fits = before === after;
  if (write && !fits) {
    if (before === undefined) writeFileSync(file, after);
    else replaceFile(file, after);
  }
  return { file, fits, diff: renderDiff(typesFileName, { text: before ?? '' }, { text: after }) };
}
