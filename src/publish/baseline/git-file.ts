/** A file as it is in a commit, relative to the folder. Nothing where there is none. */
export async function readGitFile(folder: string, ref: string, path: string): Promise<string | undefined> {
  const { execa } = await import('execa');
  const { stdout, exitCode } = await execa('git', ['show', '--end-of-options', `${ref}:./${path}`], {
    cwd: folder,
    reject: false,
    stripFinalNewline: false,
  });
  return exitCode === 0 ? stdout : undefined;
}
