/** Runs a command with its output on our standard error, so that standard output stays ours. */
export async function runCommand(command: string, { cwd }: { cwd: string }): Promise<void> {
  const { execa } = await import('execa');
  const [file = '', ...args] = command.split(' ');
  await execa(file, args, { cwd, stdin: 'ignore', stdout: 2, stderr: 2 });
}
