import { dirname, join, resolve } from 'node:path';
import type { BuildOptions, Plugin } from 'esbuild';
import { parseJson } from '../base/parse-json.js';
import { readStats } from '../base/node/read-stats.js';
import { readRegularFile } from '../base/node/regular-file.js';
import { build } from './esbuild.js';
import { packageNameIn, workspaceFolderOf } from './workspace-package.js';

/**
 * Returns the files that a build reads, and the folders it searches. The bundler reports these paths only after a successful
 * build. After a failed build, a second build collects them. Having the bundler watch files instead would make every build
 * 50% slower.
 */
export async function buildInputs({ plugins = [], ...options }: BuildOptions): Promise<Set<string>> {
  const seen = new Set<string>();
  const observe: Plugin = {
    name: 'observe',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\.{0,2}\// }, ({ path, resolveDir }) => {
        if (resolveDir) seen.add(dirname(resolve(resolveDir, path)));
        return undefined;
      });
      onResolve({ filter: /^(@[\w.-]+\/)?[\w.-]+/ }, ({ path, resolveDir }) => {
        for (const file of unbuiltFiles(path, resolveDir)) seen.add(file);
        return undefined;
      });
      onLoad({ filter: /./, namespace: 'file' }, ({ path }) => {
        seen.add(path);
        return undefined;
      });
    },
  };
  await build({ ...options, plugins: [observe, ...plugins] }).catch(() => {});
  return seen;
}

/** Returns the files that a package of the workspace names as its entries, and that its build has not created yet. */
function unbuiltFiles(specifier: string, from: string): string[] {
  const home = workspaceFolderOf(packageNameIn(specifier), from);
  if (home === undefined) return [];
  const { main, module, exports } = parseJson(readOrEmpty(join(home, 'package.json')), {}) as Record<
    string,
    unknown
  >;
  const named = JSON.stringify([main, module, exports]).match(/"[\w./-]+\.[cm]?js(?=")/g) ?? [];
  return named.map((quoted) => join(home, quoted.slice(1))).filter((file) => !readStats(file));
}

/**
 * Returns the path of a tsconfig file, followed by the paths of all files it extends, including missing ones. Omits files in
 * packages.
 */
export function tsconfigFiles(file: string | undefined, found = new Set<string>()): Set<string> {
  if (file === undefined || found.has(file)) return found;
  found.add(file);
  for (const base of basesIn(readOrEmpty(file))) {
    const path = resolve(dirname(file), base);
    if (!path.endsWith('.json')) tsconfigFiles(`${path}.json`, found);
    // The bundler first tries the path as it is written.
    if (path.endsWith('.json') || readStats(path)?.isDirectory() === false) tsconfigFiles(path, found);
  }
  return found;
}

const gap = String.raw`(?:\s|//.*|/\*[^]*?\*/)*`;
const string = String.raw`"(?:[^"\\\n]|\\.)*"`;
const field = new RegExp(`(${string})(?=${gap}:${gap}(\\[(?:${gap}${string}${gap},?)*|${string}))`, 'g');

/** Uses a regular expression, because a tsconfig file may contain comments and trailing commas. */
const basesIn = (text: string): string[] =>
  Array.from(text.matchAll(field))
    .filter(([, key = '']) => parseJson(key, '') === 'extends')
    .flatMap(([, , value = '']) => value.match(new RegExp(string, 'g')) ?? [])
    .map((quoted) => String(parseJson(quoted, '')))
    .filter((path) => /^(\.{0,2}\/|\.\.?$)/.test(path));

export function readOrEmpty(file: string): string {
  try {
    return readRegularFile(file).toString('utf8');
  } catch {
    return '';
  }
}
