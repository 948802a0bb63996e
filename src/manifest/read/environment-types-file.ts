import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularFile } from '../../base/node/regular-file.js';
import { endLinesAs } from '../../base/text/end-lines-as.js';
import { renderEnvironmentTypes } from '../model/environment-types.js';
import type { Manifest } from '../model/manifest.js';

export const typesFileName = 'platform-env.d.ts';

export interface EnvironmentTypesFile {
  file: string;
  /** The content of the file. Undefined if the file does not exist. */
  before?: string;
  after: string;
  fits: boolean;
}

/**
 * Compares `platform-env.d.ts` with the manifest. Line endings are ignored, because they may differ if the file was checked out
 * on Windows.
 */
export function readEnvironmentTypes(
  manifest: Manifest,
  file = join(manifest.folder, typesFileName),
): EnvironmentTypesFile {
  const text = renderEnvironmentTypes(manifest);
  if (!existsSync(file)) return { file, after: text, fits: false };
  const before = readRegularFile(file).toString('utf8');
  const fits = before.replaceAll('\r\n', '\n') === text;
  return { file, before, after: endLinesAs(before, text), fits };
}
