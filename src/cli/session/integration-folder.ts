import { basename, dirname } from 'node:path';
import { nearest } from '../../base/did-you-mean.js';
import { findUp } from '../../base/node/folders-up.js';
import { UserError } from '../../base/user-error.js';
import { findSession } from '../../dev/claim-session.js';
import { findManifests, loadManifest } from '../../manifest/index.js';
import type { CommandContext } from '../context/command.js';

/**
 * Returns the folder of the integration that `--integration` names. Looks for it in the session of this folder, then in this
 * folder and its subfolders, then in the whole repository.
 */
export function folderOfIntegration(named: string, { cwd, io }: Pick<CommandContext, 'cwd' | 'io'>): string {
  const session = findSession(cwd, io, io.env.PLATFORM_SESSION || undefined);
  const known = new Map((session?.integrations ?? []).map(({ name, folder }) => [name, folder]));
  const git = findUp(cwd, '.git');
  for (const root of [cwd, ...(git === undefined ? [] : [dirname(git)])]) {
    if (known.has(named)) break;
    for (const [name, folder] of integrationsIn(root)) if (!known.has(name)) known.set(name, folder);
  }
  const folder = known.get(named);
  if (folder !== undefined) return folder;
  const names = [...known.keys()];
  const near = nearest(named, names);
  throw new UserError(
    'unknown-integration',
    `Unknown integration: ${named}.`,
    near === undefined ? `Found: ${names.join(', ') || 'none'}.` : `Did you mean ${near}?`,
  );
}

/** The name of each integration in a folder, with its own folder. */
function integrationsIn(root: string): [string, string][] {
  return manifestsIn(root).map((file) => {
    const loaded = loadManifest({ file, dotenv: false });
    return [loaded.ok ? loaded.value.integration.name : basename(dirname(file)), dirname(file)];
  });
}

function manifestsIn(root: string): string[] {
  try {
    return findManifests(['.'], root);
  } catch {
    return [];
  }
}
