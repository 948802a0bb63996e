import { realpathSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { isAbsolute, sep } from 'node:path';
import type { Plugin } from 'esbuild';
import type { MessageDetail } from './to-diagnostic.js';

/** The namespace of the modules that take the place of Node's. */
export const NODE_MODULE = 'node-module';
const RESOLVING = Symbol('resolving');

const bare = builtinModules
  .filter((name) => !name.startsWith('_'))
  .map((name) => name.replaceAll('/', '\\/'));

/** Names that mean a module of Node, unless a package of that name is installed. */
const nodeNames = new RegExp(`^(node:.*|${bare.join('|')})$`);

/**
 * Replaces Node's modules with ones that throw when they are loaded, as a worker would, and reports those that the
 * author's sources import. It never fails the build: a package may import one in a part that never runs.
 */
export const refuseNodeImports = (folder: string): Plugin => ({
  name: 'refuse-node-imports',
  setup(build) {
    const isOwn = isOwnSource(folder);
    build.onResolve({ filter: nodeNames }, async (args) => {
      const { path, kind, importer, resolveDir, pluginData } = args;
      if (pluginData === RESOLVING) return undefined;
      if (!path.startsWith('node:')) {
        const installed = await build.resolve(path, { kind, importer, resolveDir, pluginData: RESOLVING });
        // A package can leave it out by its `browser` field: it has no file then, and the bundler makes it empty.
        if (installed.errors.length === 0) return isAbsolute(installed.path) ? installed : undefined;
      }
      const detail: MessageDetail = {
        code: 'bundle/node-import',
        help: 'Production has web APIs only (fetch, crypto.subtle, URL, TextEncoder): use those, or a package that does.',
      };
      const text = `\`${path}\` is a Node module, which production does not have`;
      return { path, namespace: NODE_MODULE, ...(isOwn(importer) && { warnings: [{ text, detail }] }) };
    });

    // A CommonJS module: it runs where it is imported first, so the importer's line is in the stack.
    build.onLoad({ filter: /./, namespace: NODE_MODULE }, ({ path }) => ({
      contents: `module.exports = undefined; throw new Error(${JSON.stringify(refusal(path))});`,
    }));
  },
});

const refusal = (path: string): string =>
  `\`${path}\` is a Node module, which production does not have. Use web APIs, or a package made for browsers or workers.`;

/** The author's own: packages are not checked, since many have Node modules in parts that never run. */
export function isOwnSource(folder: string): (file: string) => boolean {
  const home = realpathSync(folder) + sep;
  return (file) => file.startsWith(home) && !file.includes(`${sep}node_modules${sep}`);
}

/** Leaves Node's modules to a runtime that has them. */
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
