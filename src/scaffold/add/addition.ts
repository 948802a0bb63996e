import { posix } from 'node:path';
import { UserError } from '../../base/user-error.js';
import { fillIn } from '../files/fill-template.js';
import { readPiece } from '../files/read-template.js';
import type { ExistingProject } from './existing-project.js';
import { usesUndeclared } from './names-in-code.js';
import { addImport } from './register-in-source.js';

/** The changes required for an addition: the full new contents of each file, and the remaining steps for the author. */
export interface Addition {
  files: Map<string, string>;
  byHand: string[];
}

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

/** An edit to the entry file, and the names it uses, each with the module that exports it. */
export interface EntryEdit {
  change(source: string): string | undefined;
  imports: Readonly<Record<string, string>>;
}

/** Returns the edit to the entry file. If the structure of the file is not recognized, returns the lines to add by hand. */
export function editEntry({ entry, read }: ExistingProject, edit: EntryEdit, byHand: string): Addition {
  const source = entry === undefined ? undefined : read(entry);
  const edited = source === undefined ? undefined : editSource(source, edit);
  return entry === undefined || edited === undefined
    ? { files: new Map(), byHand: [byHand] }
    : { files: new Map([[entry, edited]]), byHand: [] };
}

/**
 * Applies the edit and adds its imports. Returns undefined if the edit landed outside code, or if the imports do not declare
 * every name it uses. If the edit landed in a comment, a string or markup, the source uses none of these names.
 */
export function editSource(source: string, { change, imports }: EntryEdit): string | undefined {
  const changed = change(source);
  if (changed === undefined) return undefined;
  const names = Object.keys(imports);
  const edited = names.reduce((text, name) => addImport(text, name, imports[name] ?? ''), changed);
  const inCode = names.some((name) => usesUndeclared(changed, name));
  return inCode && names.every((name) => usesUndeclared(edited, name) === false) ? edited : undefined;
}

/** Returns the source folder, and the path that tests import the entry file from. */
export function layoutOf({ entry = 'src/index.ts' }: ExistingProject): { sources: string; entry: string } {
  const bare = entry.replace(/\.[cm]?[jt]sx?$/, '');
  return { sources: posix.dirname(entry), entry: `../${bare}` };
}

/** `my-block`, `my_block` and `myBlock` count as the same name. */
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
