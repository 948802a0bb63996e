import { findUp } from '../../base/node/folders-up.js';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

export const manifestFileName = 'platform-manifest.yaml';

/** Returns the manifest in the folder or the nearest parent folder that has one. */
export const findManifest = (startFolder: string): string | undefined =>
  findUp(startFolder, manifestFileName);

/** Matches the file name of a manifest on similar platforms. */
export const manifestName = /^\.?[\w.]+-manifest\.ya?ml$/;

/** Returns advice for a folder without a manifest. A manifest from another platform can be converted. */
export function helpWithoutManifest(folder: string, shown: string, otherwise: string): string {
  const foreign = readdirSync(folder, { withFileTypes: true }).find(
    (entry) =>
      entry.isFile() &&
      manifestName.test(entry.name) &&
      /^script\s*:/m.test(readFileSync(join(folder, entry.name), 'utf8')),
  );
  return foreign === undefined
    ? otherwise
    : `Convert ${foreign.name}: platform init <a new folder> --from ${shown}`;
}

const fileName = /(?=[\w@.-])(?<![\w@.-]\/*)[\w@./-]+\.(?:[cm]?[jt]sx?|png|jpe?g|gif|svg|webp)\b/g;

/** Returns the files that a manifest lists. This is a text search, because the manifest may currently be invalid YAML. */
export const namedFiles = (file: string, text = ''): string[] =>
  Array.from(text.match(fileName) ?? [], (name) => resolve(dirname(file), name));
