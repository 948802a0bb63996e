import { dirname, join } from 'node:path';
import type { BuildOptions, Loader } from 'esbuild';
import { findUp } from '../base/node/folders-up.js';
import { keepNodeImports, refuseNodeImports } from './plugins/refuse-node-imports.js';
import { definedNames } from './refused-apis.js';
import { regularFiles } from './plugins/regular-files.js';
import type { Profile } from '../profiles/profile.js';
import { resolveSdk, SDK } from './plugins/resolve-sdk.js';

export interface BundleOptions {
  /** The absolute path of the manifest's `script`. */
  entry: string;
  /** The absolute path of the project folder. Paths in the source map are relative to this folder. */
  folder: string;
  /**
   * The package that contains the running command. If the author has not installed the SDK, the copy in this package is
   * used.
   */
  sdk: { folder: string };
  /** Whether to keep imports of Node modules, for runtimes that support them. */
  nodeModules?: boolean;
  /** Set if the project was made for another platform. Its script is then built as that platform builds it. */
  profile?: Profile | undefined;
}

const textEndings = ['txt', 'md', 'html', 'css', 'svg'];
const rawEndings = ['js', 'mjs', 'cjs', 'jsx', 'ts', 'tsx', 'json', ...textEndings].map(
  (ending) => `raw.${ending}`,
);
const loader: Record<string, Loader> = Object.fromEntries(
  [...textEndings, ...rawEndings].map((ending) => [`.${ending}`, 'text'] as const),
);

export function buildOptions(
  { entry, folder, sdk, profile, nodeModules = profile !== undefined }: BundleOptions,
  settings: string | undefined,
): BuildOptions {
  return {
    entryPoints: [entry],
    absWorkingDir: folder,
    outfile: join(folder, 'script.js'),
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    target: 'es2022',
    ...(profile
      ? {
          platform: 'neutral',
          conditions: profile.conditions,
          mainFields: profile.mainFields,
          define: profile.define,
          external: ['cloudflare:*'],
        }
      : {
          platform: 'browser',
          // `platform` selects the bundled build of the SDK, which has fewer files.
          conditions: ['platform', 'worker', 'browser', 'module'],
          define: definedNames,
        }),
    // `import('./x')` is still bundled. An import with a computed name might refer to a Node module, so it is replaced with a
    // call that throws.
    supported: { 'dynamic-import': nodeModules },
    charset: 'utf8',
    legalComments: 'none',
    sourcemap: 'external',
    sourceRoot: `${folder}/`,
    loader: {
      ...(profile ? Object.fromEntries(profile.text.map((ending) => [ending, 'text' as const])) : loader),
      '.js': 'jsx',
    },
    tsconfigRaw: tsconfig(settings, profile ? profile.jsx : SDK),
    plugins: [
      resolveSdk({ folder, sdkFolder: sdk.folder }),
      nodeModules ? keepNodeImports : refuseNodeImports(folder),
      regularFiles(folder),
    ],
    logLevel: 'silent',
    // The use of `eval` is reported as a use of a blocked API instead.
    logOverride: { 'direct-eval': 'silent' },
  };
}

/** Uses the author's settings, except for JSX, where the platform's settings always apply. */
const tsconfig = (base: string | undefined, jsxImportSource: string | undefined): string =>
  JSON.stringify({
    ...(base && { extends: base }),
    compilerOptions: { jsx: 'react-jsx', ...(jsxImportSource !== undefined && { jsxImportSource }) },
  });

export const findTsconfig = (entry: string): string | undefined => findUp(dirname(entry), 'tsconfig.json');
