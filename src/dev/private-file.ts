import {
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fstatSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  type Stats,
} from 'node:fs';
import { randomBytes } from 'node:crypto';
import { kindOf, openRegularFile } from '../base/node/regular-file.js';
import { renameOver } from '../base/node/replace-file.js';
import { UserError } from '../base/user-error.js';

/** The user's id. Undefined on Windows, where file owners and modes mean nothing. */
export type UserId = number | undefined;

export interface PrivateFile {
  text: string;
  /** The file's mode, such as 0o600. */
  mode: number;
}

/** The mode bits that allow other users to write to a file. With write access, they could act as this user. */
const OTHERS_WRITE = 0o022;

/** Reads a file that must belong to this user and must not be a symlink. Returns undefined if the file does not exist. */
export function readPrivateFile(file: string, userId: UserId): PrivateFile | undefined {
  const handle = openOwn(file, userId);
  if (handle === undefined) return undefined;
  try {
    return { text: readFileSync(handle, 'utf8'), mode: modeOf(fstatSync(handle), userId) };
  } finally {
    closeSync(handle);
  }
}

/** Throws if another user created this file or could have written to it. */
export function checkPrivateFile(file: string, userId: UserId): void {
  const handle = openOwn(file, userId);
  if (handle === undefined) return;
  try {
    const mode = modeOf(fstatSync(handle), userId);
    if (mode & OTHERS_WRITE)
      throw refused(
        file,
        `can be written by other users (mode ${octal(mode)})`,
        `Check it, then run: chmod 600 ${file}`,
      );
    if (mode !== 0o600) fchmodSync(handle, 0o600);
  } finally {
    closeSync(handle);
  }
}

/** Writes the whole text to a new file. Returns false if anything already exists at the path, including a symlink. */
export function createPrivateFile(file: string, text: string): boolean {
  const unfinished = writeBeside(file, text);
  try {
    linkSync(unfinished, file);
    return true;
  } catch (error) {
    return codeOf(error) === 'EEXIST' ? false : copyAsNew(unfinished, file);
  } finally {
    rmSync(unfinished, { force: true });
  }
}

/** Copies the file on file systems without hard links, such as exFAT. */
function copyAsNew(from: string, file: string): boolean {
  try {
    copyFileSync(from, file, constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw naming(file, error);
  }
}

/** Replaces a file. If there is a symlink at the path, replaces the symlink instead of following it. */
export function replacePrivateFile(file: string, text: string): void {
  const unfinished = writeBeside(file, text);
  try {
    renameOver(unfinished, file);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw naming(file, error);
  }
}

/**
 * Creates the folder for this user only. If the folder already exists, restricts access to it. Throws if another user created
 * the folder.
 */
export function makePrivateFolder(folder: string, userId: UserId): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
    return;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  checkFolder(lstatSync(folder), folder, userId);
  if (userId === undefined) return;
  const handle = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    const stats = fstatSync(handle);
    checkFolder(stats, folder, userId);
    if (modeOf(stats, userId) !== 0o700) fchmodSync(handle, 0o700);
  } finally {
    closeSync(handle);
  }
}

/** Whether the folder exists. Throws if another user created it or can write to it. */
export function checkPrivateFolder(folder: string, userId: UserId): boolean {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (!stats) return false;
  checkFolder(stats, folder, userId);
  const mode = modeOf(stats, userId);
  if (mode & OTHERS_WRITE && userId !== undefined)
    throw refused(
      folder,
      `can be written by other users (mode ${octal(mode)})`,
      'Start platform dev again. It removes their access to the folder.',
    );
  return true;
}

export const octal = (mode: number): string => `0${mode.toString(8).padStart(3, '0')}`;

function checkFolder(stats: Stats, folder: string, userId: UserId): void {
  if (!stats.isDirectory())
    throw new UserError(
      'no-state-folder',
      `${folder} is ${stats.isFile() ? 'a file' : kindOf(stats)}, but the platform keeps its state in a folder with that name.`,
      'Move it somewhere else.',
    );
  checkOwner(stats, folder, userId);
}

function checkOwner({ uid }: Stats, path: string, userId: UserId): void {
  if (userId !== undefined && uid !== userId)
    throw refused(
      path,
      `belongs to another user (id ${uid})`,
      'Find out where it came from. Then remove it, or run the command as that user.',
    );
}

function openOwn(file: string, userId: UserId): number | undefined {
  let handle: number;
  try {
    handle = openRegularFile(file, constants.O_NOFOLLOW);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    // ELOOP means that the file itself is a symlink. A socket cannot be opened.
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (!stats) return undefined;
    checkOwner(stats, file, userId);
    if (stats.isFile()) throw naming(file, error);
    throw notRegular(file, stats);
  }
  try {
    const stats = fstatSync(handle);
    checkOwner(stats, file, userId);
    if (!stats.isFile()) throw notRegular(file, stats);
    return handle;
  } catch (error) {
    closeSync(handle);
    throw error;
  }
}

function writeBeside(file: string, text: string): string {
  const unfinished = `${file}.${randomBytes(6).toString('hex')}`;
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  try {
    const handle = openSync(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
    try {
      writeFileSync(handle, text);
    } finally {
      closeSync(handle);
    }
    return unfinished;
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw naming(file, error);
  }
}

const modeOf = ({ mode }: Stats, userId: UserId): number => (userId === undefined ? 0o600 : mode & 0o777);

const notRegular = (path: string, stats: Stats): UserError =>
  refused(path, `is ${kindOf(stats)}, not a regular file`, 'Find out where it came from, then remove it.');

const refused = (path: string, what: string, hint: string): UserError =>
  new UserError('untrusted-file', `${path} ${what}, so it is not used.`, hint);

/** Adds the file name to an error, because the error for a full disk does not include it. */
const naming = (file: string, error: unknown): Error => Object.assign(error as Error, { path: file });

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;
