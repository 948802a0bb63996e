import { resolve } from 'node:path';
import { readStats } from '../../../base/node/read-stats.js';
import { UserError } from '../../../base/user-error.js';
import {
  devSettingsFileName,
  findManifest,
  findManifests,
  loadDevSettings,
  manifestIn,
} from '../../../manifest/index.js';
import { manifestsInMatches } from '../../../manifest/read/find-manifests.js';
import { isGlob, readFolder } from '../../../manifest/read/glob.js';
import { manifestName } from '../../../profiles/profile.js';

/**
 * Returns the manifests of the named folders and patterns. Returns undefined if they name a single folder whose manifest is
 * there or in a parent folder, or none. Files and folders without a manifest are skipped, because a shell expands `*` to
 * everything.
 */
export function findIntegrations(
  given: readonly string[],
  cwd: string,
  searched = new Set<string>(),
): string[] | undefined {
  const named = given.length === 0 && manifestIn(cwd) === undefined ? workspaceIn(cwd) : given;
  const [only] = named;
  if (only === undefined) return undefined;
  const path = resolve(cwd, only);
  const isPattern = (name: string): boolean => isGlob(name) && !readStats(resolve(cwd, name));
  if (named.length < 2 && !isPattern(only) && (!readStats(path) || findManifest(path))) return undefined;
  const files = named.flatMap((name) => {
    if (isPattern(name))
      return manifestsInMatches(name, cwd, (folder) => {
        searched.add(folder);
        return readFolder(folder);
      });
    const at = resolve(cwd, name);
    if (readStats(at)?.isDirectory() === false) return manifestName.test(name) ? [at] : [];
    return manifestIn(at) ?? findBelow(name, cwd);
  });
  if (files.length > 0) return [...new Set(files)];
  if (named.length < 2 && !isPattern(only)) return undefined;
  throw new UserError(
    'no-manifest',
    `No integration was found in ${named.map((name) => `"${name}"`).join(', ')}.`,
    'Pass folders that contain a manifest, or a pattern such as "integrations/*".',
  );
}

/** The integrations that the dev settings in a folder without a manifest list. */
function workspaceIn(cwd: string): string[] {
  const loaded = loadDevSettings(cwd);
  if (loaded.ok) return loaded.value.together ?? [];
  throw new UserError(
    'broken-settings',
    `${devSettingsFileName} has errors.`,
    `See them with: platform validate ${devSettingsFileName}`,
  );
}

function findBelow(name: string, cwd: string): string[] {
  if (!readStats(resolve(cwd, name))) return findManifests([name], cwd);
  try {
    return findManifests([name], cwd);
  } catch {
    return [];
  }
}
