import { findUp } from '../../base/node/folders-up.js';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

export const manifestFileName = 'platform-manifest.yaml';

/** The manifest of the folder, or of the nearest one above. */
export const findManifest = (startFolder: string): string | undefined =>
  findUp(startFolder, manifestFileName);

/** How a manifest is called on platforms of this kind. */
export const manifestName = /^\.?[\w.]+-manifest\.ya?ml$/;

/** What to do in a folder without a manifest. One of another platform can be brought here. */
export function helpWithoutManifest(folder: string, shown: string, otherwise: string): string {
  const foreign = readdirSync(folder, { withFileTypes: true }).find(
    (entry) =>
      entry.isFile() &&
      manifestName.test(entry.name) &&
      /^script\s*:/m.test(readFileSync(join(folder, entry.name), 'utf8')),
  );
  return foreign === undefined
    ? otherwise
    : `Bring ${foreign.name} here: platform init <a new folder> --from ${shown}`;
}

const fileName = /[\w@.-][\w@./-]*\.(?:[cm]?[jt]sx?|png|jpe?g|gif|svg|webp)\b/g;

/** The files that a manifest speaks of, told from its text: it may be beyond parsing just now. */
export const namedFiles = (file: string, text = ''): string[] =>
  Array.from(text.match(fileName) ?? [], (name) => resolve(dirname(file), name));
