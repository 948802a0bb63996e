import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { foldersUp } from './folders-up.js';
import type { ProjectFiles } from './project-files.js';

export interface Destination {
  folder: string;
  /** A folder that a shell stands in is filled; any other is replaced whole. */
  cwd: string;
  /** Milliseconds since the epoch. */
  now: number;
}

/** Leftovers of a run that was killed are older than any run takes. */
const staleAfter = 60_000;

/** Writes a whole folder or nothing: into a folder beside it, which then takes its name. */
export function writeFolder({ folder, cwd, now }: Destination, files: ProjectFiles): void {
  // Where folders above are missing too, the outermost of them is what appears at once.
  const top = [...foldersUp(folder)].findLast((path) => !existsSync(path)) ?? folder;
  removeLeftovers(dirname(top), now);
  const unfinished = join(dirname(top), `.${basename(top)}.unfinished-${randomUUID()}`);
  try {
    for (const [path, bytes] of files) {
      const file = join(unfinished, relative(top, folder), path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, bytes, { mode: path === '.env' ? 0o600 : 0o644 });
    }
    if (top === cwd || !tryRename(unfinished, top)) moveEntries(unfinished, top);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

/** Fails on an existing folder that holds something or is a mount, and everywhere on Windows. */
function tryRename(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (existsSync(to)) return false;
    throw error;
  }
}

/** The manifest comes last: without it the folder is no integration. */
function moveEntries(from: string, to: string): void {
  const names = readdirSync(from).sort((a, b) => Number(a === manifestFile) - Number(b === manifestFile));
  const moved: string[] = [];
  try {
    for (const name of names) {
      renameSync(join(from, name), join(to, name));
      moved.push(name);
    }
  } catch (error) {
    for (const name of moved) rmSync(join(to, name), { recursive: true, force: true });
    throw error;
  }
}

const manifestFile = 'platform-manifest.yaml';

const leftover = /^\..+\.unfinished-[\da-f]{8}-[\da-f-]{27}$/;

/** Of any folder that was to be made here. */
function removeLeftovers(parent: string, now: number): void {
  for (const name of readdirSync(parent).filter((entry) => leftover.test(entry))) {
    const path = join(parent, name);
    const made = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now;
    if (now - made > staleAfter) rmSync(path, { recursive: true, force: true });
  }
}
