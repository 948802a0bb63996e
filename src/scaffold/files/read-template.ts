import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageFolder } from '../../base/package-files.js';
import { languages, type Language } from '../model/project.js';

const root = fileURLToPath(new URL('templates/', packageFolder));

export function readTemplate(name: string, language: Language): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  for (const folder of ['shared', name, join(name, language)]) {
    for (const path of pathsIn(join(root, folder))) {
      if (languages.some((other) => path.startsWith(`${other}/`))) continue;
      files.set(path.replace(/^_/, '.'), readFileSync(join(root, folder, path)));
    }
  }
  return files;
}

// npm excludes `.gitignore` from packages, so names that start with a dot are stored with `_` in its place.
const pathsIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .map((path) => path.split(sep).join('/'));

export const readPiece = (name: string, language: Language): string =>
  readFileSync(join(root, 'pieces', language, name), 'utf8');
