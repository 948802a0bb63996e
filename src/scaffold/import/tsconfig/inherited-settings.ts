import { dirname, join } from 'node:path';
import { readRegularFile } from '../../../base/node/regular-file.js';
import type { SurroundingRepository } from '../surrounding-repository.js';
import { parseJsonWithComments } from './json-with-comments.js';

export interface InheritedSettings {
  options: Record<string, unknown>;
  /** Settings with paths relative to the folder of the base. */
  dropped: string[];
}

const ofPaths = new Set(
  (
    'baseUrl paths rootDir rootDirs typeRoots outDir outFile declarationDir tsBuildInfoFile ' +
    'composite incremental plugins declaration declarationMap sourceMap'
  ).split(' '),
);
/** Without these, code may fail the type check. */
const missed = new Set(['baseUrl', 'paths', 'rootDirs', 'typeRoots']);

/**
 * The settings of a base that is not copied, with everything that it extends. `undefined` if it cannot be
 * found.
 */
export function readInheritedSettings(
  name: string,
  { folder, repository }: { folder: string; repository: SurroundingRepository },
  depth = 0,
): InheritedSettings | undefined {
  const found = candidatesOf(name, folder, repository)
    .map((file) => ({ file, content: readConfig(file) }))
    .find(({ content }) => content !== undefined);
  if (!found?.content || depth > 8) return undefined;
  const { extends: above, compilerOptions } = found.content;
  const bases = (Array.isArray(above) ? above : [above])
    .filter((base): base is string => typeof base === 'string')
    .map((base) => readInheritedSettings(base, { folder: dirname(found.file), repository }, depth + 1));
  const own = Object.entries((compilerOptions ?? {}) as Record<string, unknown>);
  return {
    options: Object.assign(
      {},
      ...bases.map((base) => base?.options),
      Object.fromEntries(own.filter(([key]) => !ofPaths.has(key))),
    ) as Record<string, unknown>,
    dropped: [
      ...bases.flatMap((base) => base?.dropped ?? []),
      ...own.map(([key]) => key).filter((key) => missed.has(key)),
    ],
  };
}

function candidatesOf(name: string, folder: string, repository: SurroundingRepository): string[] {
  const path = pathOf(name, folder, repository);
  return path === undefined
    ? []
    : [path, `${path}.json`, join(path, 'tsconfig.json')].filter((file) => file.endsWith('.json'));
}

function pathOf(name: string, folder: string, repository: SurroundingRepository): string | undefined {
  if (name.startsWith('.')) return join(folder, name);
  const [, owner = '', rest = ''] = /^((?:@[^/]+\/)?[^/]+)\/?(.*)$/.exec(name) ?? [];
  const installed = repository.folderOf(owner);
  return installed === undefined ? undefined : join(installed, rest);
}

function readConfig(file: string): Record<string, unknown> | undefined {
  try {
    return parseJsonWithComments(readRegularFile(file, 1024 * 1024).toString('utf8'));
  } catch {
    return undefined;
  }
}
