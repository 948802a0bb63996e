import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { foldersUp } from '../../base/node/folders-up.js';
import { isFamilyManifest, manifestFileName, manifestName } from '../../profiles/profile.js';
import { readSource } from './read-manifest-file.js';

/** Returns the manifest in the folder or the nearest parent folder that has one. */
export function findManifest(startFolder: string): string | undefined {
  for (const folder of foldersUp(startFolder)) {
    const found = manifestIn(folder);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the folder's manifest. If the folder has none for this platform, returns its only manifest for another platform. */
export function manifestIn(folder: string): string | undefined {
  const own = join(folder, manifestFileName);
  if (existsSync(own)) return own;
  const [foreign, ...others] = foreignManifests(folder);
  return others.length === 0 ? foreign : undefined;
}

/** Other tools also have files with the name of a manifest, but those do not specify a script. */
export const foreignManifests = (folder: string): string[] =>
  foreignNames(folder)
    .filter((name) => isFamilyManifest(name) || /^script\s*:/m.test(readSource(join(folder, name)).text))
    .map((name) => join(folder, name));

export const foreignNames = (folder: string): string[] =>
  namesIn(folder).filter((name) => name !== manifestFileName && manifestName.test(name));

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const fileName = /(?=[\w@.-])(?<![\w@.-]\/*)[\w@./-]+\.(?:[cm]?[jt]sx?|png|jpe?g|gif|svg|webp)\b/g;

/** Returns the files that a manifest lists. This is a text search, because the manifest may currently be invalid YAML. */
export const namedFiles = (file: string, text = ''): string[] =>
  Array.from(text.match(fileName) ?? [], (name) => resolve(dirname(file), name));
