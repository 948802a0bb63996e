import { linkSync, lstatSync, mkdirSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isInside } from '../../base/node/is-inside.js';
import { renameOver, replaceFile } from '../../base/node/replace-file.js';
import { isReservedName } from '../../base/text/reserved-name.js';
import { parentOf } from './read-file-facts.js';
import { deepest, isIgnored } from './read-folder.js';

/**
 * Matches allowed names. Excludes hidden files, names that would point outside the folder, names that other systems cannot
 * store, and characters that make one name look like another.
 */
const segment =
  /^(?![.~])[^\\/:*?"<>|\p{Cc}\p{Cs}\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]{1,100}(?<![. ])$/u;
/** File systems limit names to 255 bytes, and the extension needs some of them. */
const mostNameBytes = 240;

const isAllowed = (name: string): boolean =>
  segment.test(name) && !isReservedName(name) && !isIgnored(name) && Buffer.byteLength(name) <= mostNameBytes;

/** Returns the file for the path of a page, for example `guides/start.md`. Returns undefined if the path is invalid. */
export function fileForPath(path: string): string | undefined {
  const plain = path.trim().replace(/\.md$/i, '');
  const segments = plain.split('/');
  if (!segments.every(isAllowed) || segments.length > deepest + 1) return undefined;
  if (/^summary$/i.test(plain) || plain.length > 500) return undefined;
  return `${plain}.md`;
}

/** Writes a new file. Never replaces an existing one. */
export function createFile(folder: string, path: string, text: string): 'created' | 'taken' | 'outside' {
  if (!makeParents(folder, path)) return 'outside';
  return unlessTaken(() => writeFileSync(join(folder, path), text, { flag: 'wx' })) ? 'created' : 'taken';
}

/** Replaces a file's text. Returns false if the file no longer exists, or has been replaced with a symlink. */
export function writeFile(folder: string, path: string, text: string): boolean {
  const file = join(folder, path);
  if (!isInside(dirname(file), folder) || !lstatSync(file, { throwIfNoEntry: false })?.isFile()) return false;
  replaceFile(file, text);
  return true;
}

/** Moves a file or folder to another path, provided that nothing exists there. */
export function moveFile(
  folder: string,
  from: string,
  to: string,
): 'moved' | 'taken' | 'outside' | 'missing' {
  const [source, target] = [join(folder, from), join(folder, to)];
  if (!isInside(dirname(source), folder)) return 'outside';
  // The numbers of two files on Windows can be equal once they are rounded.
  const exactly = { bigint: true, throwIfNoEntry: false } as const;
  const stats = lstatSync(source, exactly);
  if (!stats) return 'missing';
  if (stats.isSymbolicLink()) return 'outside';
  const there = lstatSync(target, exactly);
  // On some systems, names that differ only in case refer to the same file.
  const isSame = there?.ino === stats.ino && there.dev === stats.dev && folded(from) === folded(to);
  if (there && !isSame) return 'taken';
  if (stats.isDirectory() && `${to}/`.startsWith(`${from}/`)) return 'outside';
  if (!makeParents(folder, to)) return 'outside';
  if (stats.isDirectory() || isSame) renameOver(source, target);
  else {
    // A rename would replace a file that was created in the meantime.
    if (!unlessTaken(() => linkSync(source, target))) return 'taken';
    unlinkSync(source);
  }
  return 'moved';
}

/** Names that are equal in this form may refer to the same file. */
export const folded = (path: string): string => path.normalize('NFC').toLowerCase();

export function removeFile(folder: string, path: string): boolean {
  const file = join(folder, path);
  if (!isInside(dirname(file), folder) || !lstatSync(file, { throwIfNoEntry: false })?.isFile()) return false;
  unlinkSync(file);
  return true;
}

/** Creates parent folders one at a time, so that none of them is created behind a symlink. */
function makeParents(folder: string, path: string): boolean {
  const parent = parentOf(path);
  if (parent === '') return true;
  if (!makeParents(folder, parent)) return false;
  const at = join(folder, parent);
  const stats = lstatSync(at, { throwIfNoEntry: false });
  if (!stats) mkdirSync(at);
  return stats?.isDirectory() ?? true;
}

function unlessTaken(write: () => void): boolean {
  try {
    write();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
