import { realpathSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { isAbsolute, sep } from 'node:path';
import type { Plugin } from 'esbuild';
import type { MessageDetail } from './to-diagnostic.js';

/** The namespace of modules of Node that a CommonJS package requires. */
export const REQUIRED = 'required-from-node';
const RESOLVING = Symbol('resolving');

const bare = builtinModules
  .filter((name) => !name.startsWith('_'))
  .map((name) => name.replaceAll('/', '\\/'));

/** Leaves Node's own modules to Node, and reports those that the author's sources import. */
export const nodeImports = (folder: string): Plugin => ({
  name: 'node-imports',
  setup(build) {
    const isOwn = isOwnSource(folder);
    build.onResolve({ filter: new RegExp(`^(node:.*|${bare.join('|')})$`) }, async (args) => {
      const { path, kind, importer, resolveDir, namespace, pluginData } = args;
      if (pluginData === RESOLVING) return undefined;
      if (namespace === REQUIRED) return { path, external: true };
      if (!path.startsWith('node:')) {
        const installed = await build.resolve(path, { kind, importer, resolveDir, pluginData: RESOLVING });
        // One that its importer leaves out has no file, and nothing that could be handed on of it.
        if (installed.errors.length === 0) return isAbsolute(installed.path) ? installed : undefined;
      }
      const detail: MessageDetail = {
        code: 'bundle/node-import',
        help: 'Production has web APIs only (fetch, crypto.subtle, URL, TextEncoder): use those, or a package that does.',
      };
      const text = `\`${path}\` is a Node module, which production does not have`;
      const warnings = isOwn(importer) ? [{ text, detail }] : [];
      if (kind === 'require-call') return { path, namespace: REQUIRED, warnings };
      return { path, external: true, warnings };
    });

    // An ES module has no `require`: what a CommonJS package requires is imported for it.
    build.onLoad({ filter: /./, namespace: REQUIRED }, ({ path }) => ({
      contents: `import whole from ${JSON.stringify(path)}; module.exports = whole;`,
    }));
  },
});

/** The author's own: packages are not checked, since many have Node modules in parts that never run. */
export function isOwnSource(folder: string): (file: string) => boolean {
  const home = realpathSync(folder) + sep;
  return (file) => file.startsWith(home) && !file.includes(`${sep}node_modules${sep}`);
}
