import { dirname, join } from 'node:path';
import { readRegularFile } from '../../../base/node/regular-file.js';
import type { SurroundingRepository } from '../model/surrounding-repository.js';
import { parseTsconfig, type Tsconfig } from '../../tools/parse-tsconfig.js';

export interface InheritedSettings {
  options: Record<string, unknown>;
  /** Settings with paths relative to the base file's folder. */
  dropped: string[];
}

const ofPaths = new Set(
  (
    'baseUrl paths rootDir rootDirs typeRoots outDir outFile declarationDir tsBuildInfoFile ' +
    'composite incremental plugins declaration declarationMap sourceMap'
  ).split(' '),
);
/** Without these settings, code may fail the type check. */
const missed = new Set(['baseUrl', 'paths', 'rootDirs', 'typeRoots']);

/**
 * Returns the settings of a base file, including those of the files it extends. Returns undefined if the base file cannot be
 * found.
 */
export type InheritSettings = (name: string, folder: string) => InheritedSettings | undefined;

/** Far more than real projects have. The limit protects against an endless chain of base files. */
const mostFiles = 300;

/** Reads each file only once, and does not read files outside the folder and its repository. */
export function createInheritance(repository: SurroundingRepository): InheritSettings {
  const contents = new Map<string, Tsconfig | undefined>();
  const settings = new Map<string, InheritedSettings | undefined>();
  const read = (file: string): Tsconfig | undefined => {
    if (!contents.has(file) && contents.size < mostFiles)
      contents.set(file, repository.contains(file) ? readConfig(file) : undefined);
    return contents.get(file);
  };
  const inherit: InheritSettings = (name, folder) => {
    const file = candidatesOf(name, folder, repository).find((candidate) => read(candidate));
    const content = file === undefined ? undefined : contents.get(file);
    if (file === undefined || !content) return undefined;
    if (!settings.has(file)) {
      // A base file that extends itself contributes nothing.
      settings.set(file, undefined);
      settings.set(
        file,
        combine(content, (base) => inherit(base, dirname(file))),
      );
    }
    return settings.get(file);
  };
  return inherit;
}

function combine(
  content: Tsconfig,
  inherit: (base: string) => InheritedSettings | undefined,
): InheritedSettings {
  const bases = [...new Set(content.extends)].map((base) => inherit(base));
  const own = Object.entries(content.compilerOptions);
  return {
    options: Object.assign(
      {},
      ...bases.map((base) => base?.options),
      Object.fromEntries(own.filter(([key]) => !ofPaths.has(key))),
    ) as Record<string, unknown>,
    dropped: [
      ...new Set([
        ...bases.flatMap((base) => base?.dropped ?? []),
        ...own.map(([key]) => key).filter((key) => missed.has(key)),
      ]),
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
  const [, owner = '', rest = ''] = /^((?:@[^/]+\/)?[^/]+)(?:\/(.*))?$/s.exec(name) ?? [];
  const installed = repository.folderOf(owner);
  return installed === undefined ? undefined : join(installed, rest);
}

function readConfig(file: string): Tsconfig | undefined {
  try {
    return parseTsconfig(readRegularFile(file, 256 * 1024).toString('utf8'));
  } catch {
    return undefined;
  }
}
