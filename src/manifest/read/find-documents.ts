import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readStats } from '../../base/node/read-stats.js';
import { devSettingsFileName } from './dev-settings-file.js';
import { findManifests, manifestsInMatches } from './find-manifests.js';

/** Returns the manifests found by `findManifests`, and the dev settings in the folders searched. */
export function findDocuments(named: readonly string[], cwd: string, searched = new Set<string>()): string[] {
  if (named.length === 0) return withDevSettings(findManifests([], cwd));
  const files = named.flatMap((name) => {
    const found = findManifests([name], cwd, searched);
    const areFolders =
      readStats(resolve(cwd, name))?.isDirectory() || manifestsInMatches(name, cwd).length > 0;
    return areFolders ? withDevSettings(found) : found;
  });
  return [...new Set(files)].sort();
}

/** Returns the manifests, each followed by the `platform.dev.yaml` in the same folder. */
export const withDevSettings = (manifests: readonly string[]): string[] =>
  manifests.flatMap((file) => [file, ...[devSettingsBeside(file)].filter((path) => existsSync(path))]);

/** Returns the path of the dev settings, even if the file does not exist. */
export const devSettingsBeside = (manifest: string): string => join(dirname(manifest), devSettingsFileName);
