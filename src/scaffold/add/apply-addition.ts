import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { renderDiff } from '../../diagnostics/report/render-diff.js';
import { UserError } from '../../base/user-error.js';
import {
  manifestFileName,
  parseManifest,
  renderEnvironmentTypes,
  typesFileName,
} from '../../manifest/index.js';
import { replaceFile } from '../../base/node/replace-file.js';
import { endLinesAs } from '../../base/text/end-lines-as.js';
import { asUserError } from '../files/file-errors.js';
import type { Addition } from './addition.js';
import type { ExistingProject } from './existing-project.js';

export interface FileChange {
  path: string;
  change: 'created' | 'changed';
  before: string;
  after: string;
}

/** Returns the changes to write, including the types generated from the manifest. */
export function changesOf(project: ExistingProject, { files }: Pick<Addition, 'files'>): FileChange[] {
  const manifest = parseManifest(files.get(manifestFileName) ?? project.manifest.text);
  if (!manifest.ok) {
    const [first] = manifest.diagnostics;
    throw new UserError(
      'bad-value',
      `The manifest would be invalid: ${first?.message}`,
      'Change the values, and run the command again.',
    );
  }
  const types = project.read(typesFileName);
  const all = new Map(files);
  if (types !== undefined) all.set(typesFileName, renderEnvironmentTypes(manifest.value));
  return [...all]
    .map(([path, text]) => {
      const before = project.read(path);
      const change = before === undefined ? ('created' as const) : ('changed' as const);
      return { path, change, before: before ?? '', after: endLinesAs(before, text) };
    })
    .filter(({ before, after }) => before !== after)
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

export function writeChanges({ folder }: ExistingProject, changes: readonly FileChange[]): void {
  const begun: FileChange[] = [];
  try {
    for (const change of inWriteOrder(changes)) {
      begun.unshift(change);
      writeText(join(folder, change.path), change.after);
    }
  } catch (error) {
    for (const change of begun) takeBack(folder, change);
    throw asUserError(error, begun[0]?.path ?? folder);
  }
}

/**
 * Puts new sources first and the manifest last, so that a running `platform dev` never finds a manifest entry before its
 * code exists.
 */
export function inWriteOrder(changes: readonly FileChange[]): FileChange[] {
  const rank = ({ path, change }: FileChange): number =>
    path === manifestFileName ? 2 : change === 'created' ? 0 : 1;
  return [...changes].sort((a, b) => rank(a) - rank(b));
}

function takeBack(folder: string, { path, change, before }: FileChange): void {
  const file = join(folder, path);
  try {
    if (change === 'created') rmSync(file, { force: true });
    else if (readFileSync(file, 'utf8') !== before) replaceFile(file, before);
  } catch {
    // A file that cannot be read is reported like a file that cannot be written.
  }
}

function writeText(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  replaceFile(file, text, basename(file) === '.env' ? 0o600 : 0o644);
}

/** Renders a diff that `git apply` accepts. Omits `.env`, because it contains secrets. */
export const renderChanges = (changes: readonly FileChange[]): string =>
  changes
    .filter(({ path }) => path !== '.env')
    .map(({ path, before, after }) => renderDiff(path, { text: before }, { text: after }))
    .join('');
