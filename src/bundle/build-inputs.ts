import { dirname, resolve } from 'node:path';
import { build, type BuildOptions, type Plugin } from 'esbuild';

/**
 * The files that a build looks at, and the folders in which it seeks some. The bundler tells them of a build
 * that succeeds; of one that fails they are found by another one, since to be watched makes a build half as
 * long again.
 */
export async function lookedAt({ plugins = [], ...options }: BuildOptions): Promise<Set<string>> {
  const seen = new Set<string>();
  const observe: Plugin = {
    name: 'observe',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\.{0,2}\// }, ({ path, resolveDir }) => {
        if (resolveDir) seen.add(dirname(resolve(resolveDir, path)));
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
