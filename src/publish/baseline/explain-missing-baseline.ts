import { statSync } from 'node:fs';
import { UserError } from '../../base/user-error.js';
import { runGit } from './run-git.js';

interface MissingBaseline {
  /** The baseline as the user specified it. */
  name: string;
  /** The name as an absolute path, in case it is a folder or a file. */
  path: string;
  folder: string;
  manifestName: string;
}

/** Explains why no manifest was found, because a wrong commit needs a different fix than a wrong folder. */
export async function explainMissingBaseline({
  name,
  path,
  folder,
  manifestName,
}: MissingBaseline): Promise<UserError> {
  const repository = await runGit(folder, ['rev-parse', '--is-shallow-repository']);
  const isCommit =
    repository !== undefined &&
    !name.startsWith('-') &&
    (await runGit(folder, ['rev-parse', '--verify', '--quiet', `${name}^{commit}`])) !== undefined;
  if (isCommit)
    return missing(
      `No ${manifestName} was found in this folder at commit "${name}".`,
      `List the commits that contain it with: git log --oneline -- ${manifestName}`,
    );
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
    return missing(
      `No ${manifestName} was found in the folder "${name}".`,
      'Use --against with a folder that has one, a packed submission, or a commit, branch or tag of this repository.',
    );
  if (repository === undefined)
    return missing(
      `File or folder not found: "${name}". It cannot be a commit, because this project is not in a Git repository.`,
      'Use --against with the folder of an earlier version, or with a packed submission.',
    );
  return missing(
    `Unknown commit, branch or tag: "${name}". No file or folder has this name either.`,
    repository.trim() === 'true'
      ? 'This repository is a shallow clone, so older commits are missing. Fetch them with: git fetch --unshallow --tags'
      : 'List them with: git log --oneline, git branch --all or git tag',
  );
}

const missing = (message: string, hint: string): UserError => new UserError('no-former', message, hint);
