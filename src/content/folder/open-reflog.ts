import { closeSync, lstatSync, readSync, realpathSync, fstatSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { findUp } from '../../base/node/folders-up.js';
import { isInside } from '../../base/node/is-inside.js';
import { openRegularFile, readRegularFile } from '../../base/node/regular-file.js';
import type { GitCommit, MergedBranch } from '../content.js';

/** A change to HEAD: a commit made in the folder, or a checkout, pull or merge. */
export interface HeadMove extends GitCommit {
  isCommit: boolean;
  merged?: MergedBranch;
}

/** The commits in the repository that contains a folder. Read from Git's own log, without starting a program. */
export interface Reflog {
  /** The Git folder. A lock file in it means that files are being changed. */
  folder: string;
  /** Returns the checked-out commit. */
  head(): GitCommit | undefined;
  /** Returns the changes to HEAD since the last call. */
  moves(): HeadMove[];
}

const tailBytes = 64 * 1024;
const longestMessage = 1000;
const entry = /^([0-9a-f]{40}|[0-9a-f]{64}) ([0-9a-f]{40}|[0-9a-f]{64}) [^\t]*\t([a-z][^:]*)(?:: (.*))?$/;

export function openReflog(content: string): Reflog | undefined {
  const folder = findGitFolder(content);
  if (folder === undefined) return undefined;
  let seen = readMoves(folder).at(-1)?.line;
  return {
    folder,
    head() {
      const last = readMoves(folder).at(-1);
      return last && { oid: last.oid, message: last.message };
    },
    moves() {
      const all = readMoves(folder);
      const at = all.findLastIndex(({ line }) => line === seen);
      seen = all.at(-1)?.line;
      return all.slice(at + 1).map(({ line: _line, ...move }) => move);
    },
  };
}

/** Reads the last 64 KB of the reflog. If there is no reflog, the folder is treated as if it were not in Git. */
function readMoves(folder: string): (HeadMove & { line: string })[] {
  let merges = 0;
  return readTail(join(folder, 'logs', 'HEAD'), folder)
    .split('\n')
    .flatMap((line) => {
      const [, , oid, reason = '', message = ''] = entry.exec(line) ?? [];
      if (oid === undefined) return [];
      const isCommit = reason.startsWith('commit');
      const [, branch] = /^merge (.+)/.exec(reason) ?? [];
      const merged = branch && { number: (merges += 1), subject: branch.slice(0, longestMessage) };
      return [
        {
          line,
          oid,
          message: (message || reason).slice(0, longestMessage),
          isCommit,
          ...(merged && { merged }),
        },
      ];
    });
}

function readTail(file: string, folder: string): string {
  try {
    if (!isInside(file, folder) || !lstatSync(file).isFile()) return '';
    const handle = openRegularFile(file);
    try {
      const { size } = fstatSync(handle);
      const bytes = Buffer.alloc(Math.min(size, tailBytes));
      const length = readSync(handle, bytes, 0, bytes.length, size - bytes.length);
      return bytes.toString('utf8', 0, length);
    } finally {
      closeSync(handle);
    }
  } catch {
    return '';
  }
}

/** A `.git` file is followed only if it points to Git's folder for this worktree or submodule. */
function findGitFolder(content: string): string | undefined {
  const found = findUp(content, '.git');
  if (found === undefined) return undefined;
  try {
    const stats = lstatSync(found);
    if (stats.isDirectory()) return found;
    if (!stats.isFile()) return undefined;
    const [, target] = /^gitdir: (.+)/.exec(readRegularFile(found, 4096).toString('utf8')) ?? [];
    if (target === undefined) return undefined;
    const folder = realpathSync(resolve(dirname(found), target));
    return isSubmodule(folder, found) || isWorktree(folder, found) ? folder : undefined;
  } catch {
    return undefined;
  }
}

function isSubmodule(folder: string, file: string): boolean {
  const above = findUp(dirname(dirname(file)), '.git');
  return above !== undefined && lstatSync(above).isDirectory() && isInside(folder, above);
}

/** Whether this is the Git folder of a worktree. Such a folder contains the path of the `.git` file that points to it. */
function isWorktree(folder: string, file: string): boolean {
  const back = readRegularFile(join(folder, 'gitdir'), 4096).toString('utf8').trim();
  return realpathSync(resolve(folder, back)) === realpathSync(file);
}
