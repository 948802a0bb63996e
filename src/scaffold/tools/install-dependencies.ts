import { UserError } from '../../base/user-error.js';
import type { InitWorld } from '../init/init-options.js';
import type { Project } from '../project.js';

interface Installation {
  folder: string;
  shown: string;
  project: Pick<Project, 'packageManager'>;
}

export async function installDependencies(
  { folder, shown, project: { packageManager } }: Installation,
  { run }: Pick<InitWorld, 'run'>,
): Promise<void> {
  const command = packageManager.install;
  try {
    await run(command, { cwd: folder });
  } catch {
    throw new UserError(
      'install-failed',
      `"${command}" failed; its own error is above.`,
      `The project is complete. Fix the problem, then run "${command}" in ${shown}.`,
    );
  }
}

/** Sends the command's output to standard error, so that standard output contains only our own. */
export async function runCommand(command: string, { cwd }: { cwd: string }): Promise<void> {
  const { execa } = await import('execa');
  const [file = '', ...args] = command.split(' ');
  await execa(file, args, { cwd, stdin: 'ignore', stdout: 2, stderr: 2 });
}
