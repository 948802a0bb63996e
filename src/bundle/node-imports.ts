import { builtinModules } from 'node:module';
import { isAbsolute } from 'node:path';
import type { Plugin } from 'esbuild';
import type { MessageDetail } from './to-diagnostic.js';

/** The namespace of modules of Node that a CommonJS package requires. */
export const REQUIRED = 'required-from-node';
const RESOLVING = Symbol('resolving');

const bare = builtinModules
  .filter((name) => !name.startsWith('_'))
  .map((name) => name.replaceAll('/', '\\/'));

/** Leaves Node's own modules to Node, and says that production has none. */
export const nodeImports: Plugin = {
  name: 'node-imports',
  setup(build) {
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
      const warnings = [
        { text: `\`${path}\` is a module of Node: it works here, and not in production`, detail },
      ];
      if (kind === 'require-call') return { path, namespace: REQUIRED, warnings };
      return { path, external: true, warnings };
    });

    // An ES module has no `require`: what a CommonJS package requires is imported for it.
    build.onLoad({ filter: /./, namespace: REQUIRED }, ({ path }) => ({
      contents: `import whole from ${JSON.stringify(path)}; module.exports = whole;`,
    }));
  },
};
