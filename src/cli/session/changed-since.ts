import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inParallel } from '../../base/in-parallel.js';
import { lockFiles } from '../../base/node/detect-package-manager.js';
import { filesUp, findUp } from '../../base/node/folders-up.js';
import { readRegularFile } from '../../base/node/regular-file.js';
import { packageFolder } from '../../base/package-files.js';
import { UserError } from '../../base/user-error.js';
import { bundleOnce } from '../../bundle/index.js';
import type { CommandContext } from '../context/command.js';
import { count } from '../../diagnostics/index.js';
import { findIgnoredFiles } from '../../content/folder/find-ignored-files.js';
import { loadDevSettings, loadManifest } from '../../manifest/index.js';
import { readFolder } from '../../manifest/read/glob.js';
import { runGit } from '../../publish/baseline/run-git.js';

/** Returns the manifests of the integrations that differ from a commit, or all of them without a commit. */
export async function changedSince(
  { note }: Pick<CommandContext, 'note'>,
  commit: string | undefined,
  manifests: readonly string[],
): Promise<string[]> {
  if (commit === undefined || manifests.length === 0) return [...manifests];
  const real = manifests.map((manifest) => realpathSync(manifest));
  const read = await readCommit(commit, real[0] ?? '');
  const isChanged = await inParallel(real, (manifest) => differs(manifest, read));
  const changed = manifests.filter((_, nth) => isChanged[nth]);
  note(`${changed.length} of ${count(manifests.length, 'integration')} changed since ${commit}.`);
  return changed;
}

interface Commit {
  root: string;
  /** The hash of each file, keyed by its path relative to the repository. */
  files: ReadonlyMap<string, string>;
}

const largestList = 2 ** 28;

async function readCommit(commit: string, manifest: string): Promise<Commit> {
  const git = findUp(dirname(manifest), '.git');
  if (git === undefined)
    throw new UserError('no-repository', `${manifest} is not in a Git repository.`, 'Remove --since.');
  const root = dirname(git);
  const list = commit.startsWith('-')
    ? undefined
    : await runGit(root, ['ls-tree', '-r', '-z', '--full-tree', commit], largestList);
  if (list === undefined)
    throw new UserError(
      'no-commit',
      `Unknown commit, branch or tag: "${commit}".`,
      'In a shallow clone, fetch older commits with: git fetch --unshallow --tags',
    );
  const entries = list.split('\0').flatMap((line): [string, string][] => {
    const [, type, hash = '', path = ''] = /^\d+ (\w+) (\w+)\t([^]+)$/.exec(line) ?? [];
    return type === 'blob' ? [[path, hash]] : [];
  });
  return { root, files: new Map(entries) };
}

/** Compares the files of the project and its pages, then those that its script is built from. */
async function differs(manifest: string, { root, files }: Commit): Promise<boolean> {
  const folder = dirname(manifest);
  const pathOf = (file: string): string => relative(root, file).replaceAll(sep, '/');
  const isOther = (file: string): boolean => {
    const path = pathOf(file);
    const hash = files.get(path);
    // A change to an installed package changes the lock file.
    if (hash === undefined) return !path.startsWith('..') && !path.split('/').includes('node_modules');
    return hash !== hashOf(file, hash);
  };
  const isOtherFolder = async (at: string): Promise<boolean> => {
    const inside = at === root ? '' : `${pathOf(at)}/`;
    const committed = [...files.keys()].filter((path) => path.startsWith(inside));
    if (committed.some((path) => isOther(join(root, path)))) return true;
    const inFolder = filesIn(at).filter((file) => !files.has(pathOf(file)));
    const added = inFolder.map((file) => relative(at, file).replaceAll(sep, '/'));
    const ignored = await findIgnoredFiles(at, added);
    return added.some((path) => ignored.get(path) !== 'ignored');
  };
  const loaded = loadManifest({ file: manifest, dotenv: false });
  const settings = loadDevSettings(folder);
  if (!loaded.ok || !settings.ok) return true;
  const pages = settings.value.workspace.spaces.flatMap(({ content }) =>
    content === undefined ? [] : [resolve(folder, content)],
  );
  for (const at of [folder, ...pages]) if (await isOtherFolder(at)) return true;
  const locks = lockFiles.flatMap((name) => filesUp(folder, name));
  if (locks.some((file) => files.has(pathOf(file)) && isOther(file))) return true;
  const { integration, profile } = loaded.value;
  if (integration.script === undefined) return false;
  const built = await bundleOnce({
    entry: resolve(folder, integration.script),
    folder,
    sdk: { folder: fileURLToPath(packageFolder) },
    nodeModules: true,
    profile,
  });
  if (!built.ok) return true;
  const packages = built.value.files.map((file) => findUp(dirname(file), 'package.json') ?? file);
  const inputs = new Set([...built.value.files, ...packages, ...built.value.settings]);
  return [...inputs].some((file) => existsSync(file) && isOther(file));
}

/** Returns the hash that Git has for a file with the current content, or an empty string if it cannot be read. */
function hashOf(file: string, { length }: string): string {
  try {
    const isLink = lstatSync(file).isSymbolicLink();
    const content = isLink ? Buffer.from(readlinkSync(file)) : readRegularFile(file);
    return createHash(length === 40 ? 'sha1' : 'sha256')
      .update(`blob ${content.length}\0`)
      .update(content)
      .digest('hex');
  } catch {
    return '';
  }
}

const filesIn = (folder: string): string[] =>
  readFolder(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) return [path];
    return entry.name.startsWith('.') || entry.name === 'node_modules' ? [] : filesIn(path);
  });
