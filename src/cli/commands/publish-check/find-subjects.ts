import { dirname, resolve } from 'node:path';
import { relativePath } from '../../../base/node/relative-path.js';
import { readStats } from '../../../base/node/read-stats.js';
import { findManifests, manifestIn } from '../../../manifest/index.js';

/** What to check: either a project, identified by its manifest, or a packed submission. */
export interface Subject {
  kind: 'project' | 'packed';
  /** Absolute path of the manifest or packed file. */
  file: string;
  /** The project folder or packed file relative to the current folder, as shown in output. */
  shown: string;
}

/**
 * Resolves folders, manifests, patterns and packed files. If none are given, uses the project in this folder or the nearest
 * parent folder.
 */
export function findSubjects(named: readonly string[], cwd: string): Subject[] {
  const packed = named.filter((name) => isPacked(resolve(cwd, name)));
  const others = named.filter((name) => !packed.includes(name));
  const own = others.flatMap((name) => {
    const file = manifestIn(resolve(cwd, name));
    return file === undefined ? findManifests([name], cwd) : [file];
  });
  const manifests = named.length === 0 ? findManifests([], cwd) : [...new Set(own)];
  return [
    ...manifests.map((file): Subject => ({
      kind: 'project',
      file,
      shown: relativePath(cwd, dirname(file)) || '.',
    })),
    ...packed.map((name): Subject => ({ kind: 'packed', file: resolve(cwd, name), shown: name })),
  ];
}

const isPacked = (path: string): boolean =>
  /\.(tgz|tar\.gz)$/i.test(path) && readStats(path)?.isDirectory() === false;
