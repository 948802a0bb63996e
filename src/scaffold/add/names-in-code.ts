import { createRequire } from 'node:module';
import type * as Esbuild from 'esbuild';

const mark = '__undeclared__';
/** A type assertion with angle brackets is valid only in .ts files, and a JSX element is valid only in .tsx files. */
const loaders: readonly Esbuild.Loader[] = ['tsx', 'ts'];

/**
 * Whether the source uses a name that it does not declare or import. The bundler's `define` replaces only such names, and never
 * replaces text in comments, strings or markup. Returns `undefined` if the source cannot be parsed.
 */
export function usesUndeclared(source: string, name: string): boolean | undefined {
  // Loaded here, because `init` from a template does not need it.
  const { transformSync } = createRequire(import.meta.url)('esbuild') as typeof Esbuild;
  for (const loader of loaders) {
    try {
      const { code } = transformSync(source, {
        loader,
        define: { [name]: mark },
        legalComments: 'none',
        logLevel: 'silent',
        tsconfigRaw: { compilerOptions: { jsx: 'preserve', experimentalDecorators: true } },
      });
      return code.includes(mark);
    } catch {
      continue;
    }
  }
  return undefined;
}
