import { dirname, join, resolve } from 'node:path';
import type { RuntimeName } from '../../../protocol/runtime-names.js';
import { fileURLToPath } from 'node:url';
import { inParallel } from '../../../base/in-parallel.js';
import { packageFolder } from '../../../base/package-files.js';
import { visible } from '../../../base/escape-control-characters.js';
import { relativePath } from '../../../base/node/relative-path.js';
import { readStats } from '../../../base/node/read-stats.js';
import { isUserError, UserError } from '../../../base/user-error.js';
import { findManifest, findManifests, manifestIn } from '../../../manifest/index.js';
import { manifestsInMatches } from '../../../manifest/read/find-manifests.js';
import { isGlob } from '../../../manifest/read/glob.js';
import type { ReplayedFile, ReplayedProject, ReplayResult } from '../../../recordings/index.js';
import { fine, type CommandContext, type Outcome } from '../../context/command.js';
import type { Replayed } from './print-replays.js';
import { changedSince } from '../../session/changed-since.js';
import { platformVersion } from '../../context/version.js';

export interface ReplayFilesOptions {
  update?: boolean;
  runtime?: RuntimeName;
  since?: string;
}

/** Recordings, and the manifest of the project that replays them. */
interface FoundRecordings {
  manifest: string;
  files: string[];
}

/** Replays recordings with the current build of the project in this folder, or of the projects that the paths contain. */
export async function runReplayFiles(
  context: CommandContext,
  paths: readonly string[],
  { update = false, runtime, since }: ReplayFilesOptions,
): Promise<Outcome> {
  const { io } = context;
  const { replayFile, whyNotUpdated } = await import('../../../recordings/index.js');
  const found = await findRecorded(context, paths, since);
  const signal = io.takeInterrupts();
  const results = await inParallel(found, async ({ manifest, files }) => {
    try {
      const project = await openProject({ cwd: dirname(manifest), io }, runtime);
      const replayed: Replayed[] = [];
      for (const file of files)
        replayed.push({ ...(await replayFile(file, project, { update, signal })), project });
      return replayed;
    } catch (error) {
      if (found.length < 2 || !isUserError(error)) throw error;
      return { manifest, message: error.message };
    }
  });
  const replayed = results.flatMap((one) => (Array.isArray(one) ? one : []));
  const broken = results.flatMap((one) => (Array.isArray(one) ? [] : one));
  const { printReplays } = await import('./print-replays.js');
  await printReplays(context, paths, replayed, broken);
  if (update) for (const one of replayed) noteUpdate(context, one, whyNotUpdated);
  const same = replayed.every((file) => file.results.every(({ differences }) => differences.length === 0));
  return same && broken.length === 0 ? fine : { kind: 'findings' };
}

/** A folder or pattern that contains manifests stands for the recordings of their projects. */
export async function findRecorded(
  context: Pick<CommandContext, 'cwd' | 'note'>,
  named: readonly string[],
  since: string | undefined,
): Promise<FoundRecordings[]> {
  const { cwd } = context;
  const { findRecordings, recordingsIn } = await import('../../../recordings/index.js');
  const found = named.flatMap((name): FoundRecordings[] => {
    const manifests = manifestsOf(name, cwd);
    if (manifests.length > 0)
      return manifests.flatMap((manifest) => {
        const folder = join(dirname(manifest), 'recordings');
        const files = readStats(folder)?.isDirectory() ? recordingsIn(folder) : [];
        return files.length > 0 ? [{ manifest, files }] : [];
      });
    const files = findRecordings(name, cwd);
    const manifest = findManifest(cwd) ?? findManifest(dirname(files[0] ?? cwd));
    if (manifest === undefined) throw noManifest();
    return [{ manifest, files }];
  });
  const changed = await changedSince(
    context,
    since,
    found.map(({ manifest }) => manifest),
  );
  if (found.length > 0) return found.filter(({ manifest }) => changed.includes(manifest));
  throw new UserError(
    'no-recording',
    `No integration in ${named.map((name) => `"${name}"`).join(', ')} has recordings.`,
    'Record calls with: platform record <name> --last 3',
  );
}

function manifestsOf(name: string, cwd: string): string[] {
  const stats = readStats(resolve(cwd, name));
  if (stats ? !stats.isDirectory() : !isGlob(name)) return [];
  const own = manifestIn(resolve(cwd, name));
  if (own !== undefined) return [own];
  try {
    return stats ? findManifests([name], cwd) : manifestsInMatches(name, cwd);
  } catch (error) {
    if (isUserError(error)) return [];
    throw error;
  }
}

/** Reports whether the file was updated. A file can be updated even if one of its calls was not. */
function noteUpdate(
  { cwd, note }: CommandContext,
  { file, updated, results }: ReplayedFile,
  whyNotUpdated: (result: ReplayResult) => string | undefined,
): void {
  const name = visible(relativePath(cwd, file));
  const kept = results.flatMap((result) => {
    const why = whyNotUpdated(result);
    return why === undefined
      ? []
      : [`Did not update the call "${visible(result.call.name)}" in ${name}. ${why}`];
  });
  if (updated) note(`Updated ${name}.`);
  else if (kept.length === 0) note(`Did not update ${name}, because its calls behave as recorded.`);
  for (const line of kept) note(line);
}

/** Opens the project in the current folder, for commands that replay. */
export async function openProject(
  { cwd, io }: Pick<CommandContext, 'cwd' | 'io'>,
  runtime: RuntimeName | undefined,
  environment?: string,
): Promise<ReplayedProject> {
  const file = findManifest(cwd);
  if (file === undefined) throw noManifest();
  const { openReplayedProject } = await import('../../../recordings/index.js');
  return openReplayedProject({
    file,
    environment,
    runtime,
    node: io.execPath,
    package: { folder: fileURLToPath(packageFolder), version: platformVersion },
  });
}

const noManifest = (): UserError =>
  new UserError(
    'no-manifest',
    'No manifest found in this folder or any of its parent folders.',
    "Run the command in the integration's folder.",
  );
