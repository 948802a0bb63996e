import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { packageFolder } from '../../base/package-files.js';
import { foldersUp } from '../../base/node/folders-up.js';
import { renameOver } from '../../base/node/replace-file.js';
import type { Step } from '../../terminal/progress-line.js';
import type { ProjectFiles } from './files-in-memory.js';
import { refuseOccupied } from './refuse-occupied-folder.js';
import { removeLeftovers, unfinishedName } from './clear-leftovers.js';

export interface Destination {
  folder: string;
  /** The folder as the user would type it. */
  shown: string;
  /** Milliseconds since the Unix epoch. */
  now: number;
  execPath: string;
  step?: Step;
  /** The permissions of files that are copied. */
  modes?: ReadonlyMap<string, number>;
}

/** Writes the whole folder or nothing. */
export async function writeFolder(destination: Destination, files: ProjectFiles): Promise<void> {
  const { folder, now, shown } = destination;
  // If parent folders are missing as well, the outermost one is moved into place, so that everything appears at the same time.
  const missing = [...foldersUp(folder)].findLast((path) => !existsSync(path));
  if (missing === undefined) return fillFolder(destination, files);
  const parent = dirname(missing);
  removeLeftovers(parent, now);
  const unfinished = join(parent, unfinishedName(missing));
  try {
    mkdirSync(unfinished);
    await writeFiles(join(unfinished, relative(missing, folder)), files, destination);
    renameOver(unfinished, missing);
    return;
  } catch (error) {
    if (!existsSync(missing) || !isOccupied(error)) throw error;
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  // Another run has just created the parent folder with its own project in it.
  refuseOccupied(folder, shown, files);
  return writeFolder(destination, files);
}

const isOccupied = (error: unknown): boolean =>
  ['ENOTEMPTY', 'EEXIST', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '');

/** Keeps an existing folder, because it may be the working directory of a shell. */
async function fillFolder(destination: Destination, files: ProjectFiles): Promise<void> {
  const { folder, now, execPath } = destination;
  const name = unfinishedName(folder);
  const fillFrom = async (parent: string): Promise<void> => {
    removeLeftovers(parent, now);
    const unfinished = join(parent, name);
    try {
      mkdirSync(unfinished);
      await writeFiles(unfinished, files, destination);
      await moveEntries(unfinished, folder, execPath);
    } finally {
      rmSync(unfinished, { recursive: true, force: true });
    }
  };
  // A mount point, or a folder whose parent is read-only, can only be filled from the inside.
  await fillFrom(dirname(folder)).catch(() => fillFrom(folder));
}

async function writeFiles(folder: string, files: ProjectFiles, { step, modes }: Destination): Promise<void> {
  for (const [path, bytes] of files) {
    await step?.(`Writing ${path}`);
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    const mode = /^\.env(?!\.example$)/.test(path) ? 0o600 : (modes?.get(path) ?? 0o644);
    writeFileSync(file, bytes, { mode });
  }
}

/** Moves the files one by one in a separate process, which finishes even if this process or its process group is killed. */
async function moveEntries(from: string, to: string, execPath: string): Promise<void> {
  const program = fileURLToPath(new URL('bin/move-in.js', packageFolder));
  const child = spawn(execPath, [program, from, to], {
    env: {},
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
    windowsHide: true,
  });
  const [code, [status]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  if (status !== 0) throw Object.assign(new Error(`${to} could not be filled: ${code}`), { code });
}
