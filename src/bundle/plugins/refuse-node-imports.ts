import { realpathSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { isAbsolute, sep } from 'node:path';
import type { Plugin } from 'esbuild';
import { relativePath } from '../../base/node/relative-path.js';
import { chainMark, packageOf } from './import-chain.js';
import type { MessageDetail } from '../problems/to-diagnostic.js';

/** The bundler namespace for modules that replace Node modules. */
export const NODE_MODULE = 'node-module';
const RESOLVING = Symbol('resolving');

const bare = builtinModules
  .filter((name) => !name.startsWith('_'))
  .map((name) => name.replaceAll('/', '\\/'));

/** Node modules that share their name with an npm package. If such a package is installed, it takes precedence. */
const nodeNames = new RegExp(`^(node:.*|${bare.join('|')})$`);

/**
 * Replaces Node modules with modules that throw when loaded, as in production. Reports the Node modules that the author's
 * sources import. An import of a Node module never makes the build fail, because a package may contain one in code that never
 * runs.
 */
export const refuseNodeImports = (folder: string): Plugin => ({
  name: 'refuse-node-imports',
  setup(build) {
    const isOwn = isOwnSource(folder);
    /**
     * To keep the bundle small, there is one replacement module for each importing package. Files in the workspace do not
     * belong to a package.
     */
    const importingPackage = (importer: string): string => {
      const name = packageOf(importer.replaceAll('\\', '/'));
      return name === '.' ? relativePath(folder, importer) : `the package ${name}`;
    };
    build.onResolve({ filter: nodeNames }, async (args) => {
      const { path, kind, importer, resolveDir, pluginData } = args;
      if (pluginData === RESOLVING) return undefined;
      if (!path.startsWith('node:')) {
        const installed = await build.resolve(path, { kind, importer, resolveDir, pluginData: RESOLVING });
        // A package can exclude the module in its `browser` field. In that case, the bundler replaces the module with an empty
        // one.
        if (installed.errors.length === 0) return isAbsolute(installed.path) ? installed : undefined;
      }
      const detail: MessageDetail = {
        code: 'bundle/node-import',
        help: 'Only web APIs (fetch, crypto.subtle, URL, TextEncoder) are available in production. Use those, or a package that needs only those.',
      };
      const text = `\`${path}\` is a Node module, which production does not have`;
      const resolved = { path, namespace: NODE_MODULE };
      return isOwn(importer)
        ? { ...resolved, warnings: [{ text, detail }] }
        : { ...resolved, suffix: `?${importingPackage(importer)}` };
    });

    // A CommonJS module throws at the import that first loads it, so the stack includes the line of that import.
    build.onLoad({ filter: /./, namespace: NODE_MODULE }, ({ path, suffix }) => ({
      contents: `module.exports = undefined; ${suffix === '' ? refuse(path) : refuseInPackage(path, suffix)}`,
    }));
  },
});

const refuse = (path: string): string => `throw new Error(${JSON.stringify(refusal(path))});`;

/** Uses the import chain because packages often load each other, so the stack rarely includes the author's line. */
const refuseInPackage = (path: string, suffix: string): string =>
  `const error = new Error(${JSON.stringify(refusal(path, `, but ${suffix.slice(1)} imports it`))});
  error.stack = String(error) + ${JSON.stringify(chainMark(`${NODE_MODULE}:${path}${suffix}`))};
  throw error;`;

const refusal = (path: string, importer = ''): string =>
  `\`${path}\` is a Node module, which production does not have${importer}. Use web APIs, or a package made for browsers or workers.`;

/**
 * Whether a file is the author's own. Packages are not checked, because many import Node modules in code
 * that never runs.
 */
export function isOwnSource(folder: string): (file: string) => boolean {
  const home = realpathSync(folder) + sep;
  return (file) => file.startsWith(home) && !file.includes(`${sep}node_modules${sep}`);
}

/** Leaves imports of Node modules unchanged, for runtimes that support them. */
export const keepNodeImports: Plugin = {
  name: 'keep-node-imports',
  setup(build) {
    build.onResolve({ filter: nodeNames }, async ({ path, kind, importer, resolveDir, pluginData }) => {
      if (pluginData === RESOLVING) return undefined;
      if (path.startsWith('node:')) return { path, external: true };
      const installed = await build.resolve(path, { kind, importer, resolveDir, pluginData: RESOLVING });
      if (installed.errors.length === 0) return isAbsolute(installed.path) ? installed : undefined;
      return { path: `node:${path}`, external: true };
    });
  },
};
