import { existsSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import type { BuildContext, BuildFailure, BuildResult, Message, Metafile } from 'esbuild';
import type { Diagnostic, Loaded } from '../diagnostics/model/diagnostic.js';
import { refuseSpecialFiles } from '../base/node/regular-file.js';
import { buildOptions, findTsconfig, type BundleOptions } from './build-options.js';
import { filesUp } from '../base/node/folders-up.js';
import { isInside } from '../base/node/is-inside.js';
import { buildInputs, tsconfigFiles } from './build-inputs.js';
import { context, transform } from './esbuild.js';
import { insertImportChains, packageOf, type Import } from './plugins/import-chain.js';
import { NODE_MODULE } from './plugins/refuse-node-imports.js';
import { severityOf } from './problems/bundle-problems.js';
import { toDiagnostic } from './problems/to-diagnostic.js';

/** The author's script as a single ES module. */
export interface Bundle {
  code: string;
  /** Source map as JSON. Its paths are relative to the project folder. */
  map: string;
  /** Absolute paths of all bundled files. */
  files: string[];
  imports: ReadonlyMap<string, readonly Import[]>;
  /** The tsconfig files that the build used. */
  settings: string[];
  /** How many bytes each package adds to `code`, largest first. `.` is the author's own code. */
  sizes: { package: string; bytes: number }[];
}

export interface Bundler {
  /** Rebuilds only what has changed since the last build. */
  build(): Promise<Loaded<Bundle>>;
  /** After a failed build, returns the files and folders to watch, because a change to any of them may fix the build. */
  lookedAt(): Promise<string[]>;
  close(): Promise<void>;
}

export function createBundler(options: BundleOptions): Bundler {
  const { entry, folder } = options;
  let building: { context: Promise<BuildContext>; tsconfig: string | undefined } | undefined;

  /** If a tsconfig file is added or removed, a new context is needed. Changes to an existing file are picked up without one. */
  const contextFor = async (tsconfig: string | undefined): Promise<BuildContext> => {
    if (!building || building.tsconfig !== tsconfig) {
      await building?.context.then((former) => former.dispose());
      building = { context: context(buildOptions(options, tsconfig)), tsconfig };
    }
    return building.context;
  };

  /** Leaves out how other packages describe themselves, which the author cannot change here. */
  const aboutScript = (warnings: readonly Message[]): Diagnostic[] =>
    warnings
      .filter(
        ({ location }) =>
          !location?.file.endsWith('package.json') || isInside(resolve(folder, location.file), folder),
      )
      .map((warning) => toDiagnostic(warning, 'warning', options));

  return {
    async lookedAt() {
      const tsconfig = findTsconfig(entry);
      return [...tsconfigFiles(tsconfig), ...(await buildInputs(buildOptions(options, tsconfig)))];
    },
    async build() {
      if (!existsSync(entry)) return missingEntry(options);
      const tsconfig = findTsconfig(entry);
      refuseSpecialFiles([...tsconfigFiles(tsconfig), ...filesUp(dirname(entry), 'package.json')]);
      try {
        const result = await (await contextFor(tsconfig)).rebuild();
        return {
          ok: true,
          value: { ...toBundle(result, folder), settings: [...tsconfigFiles(tsconfig)] },
          diagnostics: aboutScript(result.warnings),
        };
      } catch (error) {
        if (!isBuildFailure(error)) throw error;
        return {
          ok: false,
          diagnostics: [
            ...error.errors.map((message) => toDiagnostic(message, 'error', options)),
            ...aboutScript(error.warnings),
          ],
        };
      }
    },
    async close() {
      await building?.context.then((current) => current.dispose());
      building = undefined;
    },
  };
}

/** Starts the bundler's process in advance, so the first build does not have to wait for it. */
export const startBundler = (): void => void transform('').catch(() => {});

/** Builds once, without keeping anything for later builds. */
export async function bundleOnce(options: BundleOptions): Promise<Loaded<Bundle>> {
  const bundler = createBundler(options);
  try {
    return await bundler.build();
  } finally {
    await bundler.close();
  }
}

const missingEntry = ({ entry, folder }: BundleOptions): Loaded<Bundle> => ({
  ok: false,
  diagnostics: [
    {
      code: 'bundle/missing-entry',
      severity: severityOf('bundle/missing-entry'),
      message: `The script \`${relative(folder, entry).replaceAll('\\', '/')}\` does not exist.`,
      help: 'Create it, or correct `script` in the manifest.',
      file: entry,
    },
  ],
});

const isBuildFailure = (error: unknown): error is BuildFailure =>
  error instanceof Error && Array.isArray((error as Partial<BuildFailure>).errors);

/** Matches inputs that are not files: Node modules, and modules that a package excludes in browsers. */
const withoutFile = new RegExp(`^(${NODE_MODULE}|[(]disabled[)]):`);

function toBundle({ outputFiles = [], metafile }: BuildResult, folder: string): Omit<Bundle, 'settings'> {
  const [map, code] = [...outputFiles].sort(
    (a, b) => Number(b.path.endsWith('.map')) - Number(a.path.endsWith('.map')),
  );
  const { inputs = {}, outputs = {} } = metafile ?? {};
  return {
    code: metafile ? insertImportChains(code?.text ?? '', metafile, folder) : '',
    map: map?.text ?? '',
    files: Object.keys(inputs)
      .filter((path) => !withoutFile.test(path))
      .map((path) => resolve(folder, path)),
    imports: importsOf(inputs, folder),
    sizes: sizesOf(outputs),
  };
}

function importsOf(inputs: Metafile['inputs'], folder: string): Bundle['imports'] {
  const found = new Map<string, Import[]>();
  for (const [importer, { imports }] of Object.entries(inputs)) {
    for (const { path, original } of imports) {
      const file = resolve(folder, path);
      const one = { importer: resolve(folder, importer), specifier: original ?? path };
      found.set(file, [...(found.get(file) ?? []), one]);
    }
  }
  return found;
}

function sizesOf(outputs: Metafile['outputs']): Bundle['sizes'] {
  const sizes = new Map<string, number>();
  for (const { inputs } of Object.values(outputs)) {
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      const name = packageOf(path);
      sizes.set(name, (sizes.get(name) ?? 0) + bytesInOutput);
    }
  }
  return Array.from(sizes, ([name, bytes]) => ({ package: name, bytes })).sort((a, b) => b.bytes - a.bytes);
}
