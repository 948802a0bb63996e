import { UserError } from '../../base/user-error.js';
import type { InitWorld } from '../model/init-options.js';

export async function installDependencies(
  { folder, shown, command }: { folder: string; shown: string; command: string },
  { run }: Pick<InitWorld, 'run'>,
): Promise<void> {
  try {
    await run(command, { cwd: folder });
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const [program] = command.split(' ');
    throw new UserError(
      'install-failed',
      isMissing ? `${program} is not installed.` : `"${command}" failed; its own error is above.`,
      `The project is complete. ${isMissing ? `Install ${program}` : 'Fix the problem'}, then run "${command}" in ${shown}.`,
    );
  }
}

/** Sends the command's output to standard error, so that standard output contains only our own. */
export async function runCommand(command: string, { cwd }: { cwd: string }): Promise<void> {
  const { execa } = await import('execa');
  const [file = '', ...args] = command.split(' ');
  // On Windows, a package manager is a script that cmd.exe would otherwise look for in the project first.
  const env = { NoDefaultCurrentDirectoryInExePath: '1' };
  await execa(file, args, { cwd, env, stdin: 'ignore', stdout: 2, stderr: 2 });
}
