import { fileURLToPath } from 'node:url';
import { packageFolder } from '../../../base/package-files.js';
import { visible } from '../../../base/escape-control-characters.js';
import { relativePath } from '../../../base/node/relative-path.js';
import { UserError } from '../../../base/user-error.js';
import { findManifest, type RuntimeName } from '../../../manifest/index.js';
import type { ReplayedFile, ReplayedProject, ReplayResult } from '../../../recordings/index.js';
import { fine, type CommandContext, type Outcome } from '../../context/command.js';
import { platformVersion } from '../../context/version.js';

export interface ReplayFilesOptions {
  update?: boolean;
  runtime?: RuntimeName;
}

/** Replays recordings with the current build of the project in this folder. */
export async function runReplayFiles(
  context: CommandContext,
  path: string,
  { update = false, runtime }: ReplayFilesOptions,
): Promise<Outcome> {
  const { cwd, io } = context;
  const { findRecordings, replayFile, whyNotUpdated } = await import('../../../recordings/index.js');
  const files = findRecordings(path, cwd);
  const project = await openProject(context, runtime);
  const signal = io.takeInterrupts();
  const replayed: ReplayedFile[] = [];
  for (const file of files) replayed.push(await replayFile(file, project, { update, signal }));
  const { printReplays } = await import('./print-replays.js');
  await printReplays(context, path, replayed, project);
  if (update) for (const one of replayed) noteUpdate(context, one, whyNotUpdated);
  const same = replayed.every(({ results }) => results.every(({ differences }) => differences.length === 0));
  return same ? fine : { kind: 'findings' };
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
  if (file === undefined)
    throw new UserError(
      'no-manifest',
      'No manifest found in this folder or any of its parent folders.',
      "Run the command in the integration's folder.",
    );
  const { openReplayedProject } = await import('../../../recordings/index.js');
  return openReplayedProject({
    file,
    environment,
    runtime,
    node: io.execPath,
    package: { folder: fileURLToPath(packageFolder), version: platformVersion },
  });
}
