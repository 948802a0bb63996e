import { posix } from 'node:path';
import { UserError } from '../../base/user-error.js';
import { fillIn } from '../files/fill-template.js';
import { readPiece } from '../files/read-template.js';
import type { ExistingProject } from './existing-project.js';

/** The result of adding a piece: complete new texts of files, and what the author has to do. */
export interface Addition {
  files: Map<string, string>;
  byHand: string[];
}

/** Adds a new file. Throws if the file exists. */
export function createFile(
  project: ExistingProject,
  path: string,
  piece: string,
  values: Readonly<Record<string, string>>,
): [path: string, text: string] {
  if (project.read(path) !== undefined) {
    throw new UserError(
      'file-exists',
      `The file ${path} already exists.`,
      'Rename or remove it, and run the command again.',
    );
  }
  return [path, fillIn(readPiece(piece, project.language), values)];
}

/** The edit to the entry file, or the lines to add by hand if the file's form is not recognized. */
export function editEntry(
  { entry, read }: ExistingProject,
  edit: (source: string) => string | undefined,
  byHand: string,
): Addition {
  const source = entry === undefined ? undefined : read(entry);
  const edited = source === undefined ? undefined : edit(source);
  return entry === undefined || edited === undefined
    ? { files: new Map(), byHand: [byHand] }
    : { files: new Map([[entry, edited]]), byHand: [] };
}

/** The folder of the source files, and how a test imports the entry file. */
export function layoutOf({ entry = 'src/index.ts' }: ExistingProject): { sources: string; entry: string } {
  const bare = entry.replace(/\.[cm]?[jt]sx?$/, '');
  return { sources: posix.dirname(entry), entry: `../${bare}` };
}

/** `my-block`, `my_block` and `myBlock` are the same name. */
export const toFileName = (name: string): string =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .toLowerCase();

export const toVariable = (name: string): string =>
  toFileName(name).replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

export const toTypeName = (name: string): string => {
  const variable = toVariable(name);
  return `${variable.charAt(0).toUpperCase()}${variable.slice(1)}`;
};
