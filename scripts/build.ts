import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { renderNotices } from './third-party-notices.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const run = (tool: string, ...args: string[]): void => {
  execFileSync(process.execPath, [`node_modules/${tool}`, ...args], { cwd: root, stdio: 'inherit' });
};

/** Rooms of commands that have to start fast: they go into the one file that is run through the code cache. */
const coldRooms = ['cli', 'contract', 'dev', 'diagnostics', 'manifest', 'protocol', 'publish'];
/** Rooms that the command loads when it needs them. */
const lazyRooms = ['bundle', 'emulator', 'sandbox', 'scaffold', 'store', 'testing'];
/** Packages that the command loads when it needs them. */
const lazyPackages = ['execa', 'prompts'];
/** What authors import, module by module. */
const sdkRooms = ['base', 'protocol', 'runtime', 'webhooks', 'store/postgres'];

const source = (path: string): string => `${root}src/${path}`;
const modulesOf = (room: string): string[] =>
  readdirSync(source(room), { recursive: true, encoding: 'utf8' })
    // Not for the SDK: files for Node alone, and the one that needs a package.
    .filter((file) => !file.startsWith('node/') && file !== 'text/line-diff.ts')
    .filter((file) => /(?<![.]d)[.](ts|tsx|js)$/.test(file))
    .map((file) => source(`${room}/${file}`));

const shared = {
  absWorkingDir: root,
  platform: 'node',
  target: 'node20.19',
  logLevel: 'warning',
  metafile: true,
} as const;

rmSync(`${root}dist`, { recursive: true, force: true });
await import('./generate.js');

const built = await Promise.all([
  build({
    ...shared,
    entryPoints: [...sdkRooms.flatMap(modulesOf), source('store/store-error.ts')],
    outbase: 'src',
    outdir: 'dist',
    format: 'esm',
    platform: 'neutral',
  }),
  // The same in few files, for our own bundler, which looks at each of them with every save.
  build({
    ...shared,
    entryPoints: {
      index: source('runtime/index.ts'),
      'jsx-runtime': source('runtime/jsx-runtime.ts'),
      'jsx-dev-runtime': source('runtime/jsx-dev-runtime.ts'),
    },
    outdir: 'dist/sdk',
    // With this ending, unlike `.js`, it is not parsed anew with every save.
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    chunkNames: '[name]-[hash]',
    format: 'esm',
    platform: 'neutral',
  }),
  build({
    ...shared,
    entryPoints: [source('cli/main.ts')],
    outfile: 'dist/cli/main.cjs',
    bundle: true,
    minify: true,
    format: 'cjs',
    // The code cache runs it as a script, where `import()` is not to be had.
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': 'importMetaUrl' },
    banner: { js: "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;" },
    external: ['esbuild', 'libsql', 'fsevents'],
    plugins: [leaveLazyRooms(), leaveLazyPackages(), leaveOutUnused()],
  }),
  // Packages that few commands need: loaded when they do.
  build({
    ...shared,
    entryPoints: lazyPackages,
    outdir: 'dist/packages',
    bundle: true,
    minify: true,
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
  }),
  build({
    ...shared,
    entryPoints: lazyRooms.map((room) => source(`${room}/index.ts`)).filter(existsSync),
    outbase: 'src',
    outdir: 'dist',
    bundle: true,
    splitting: true,
    minifySyntax: true,
    chunkNames: 'chunks/[name]-[hash]',
    format: 'esm',
    external: ['esbuild', 'libsql', 'fsevents'],
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  }),
  // One file: it starts with every reload, and its lines are taken out of the author's stacks.
  build({
    ...shared,
    entryPoints: [source('sandbox/child/main.ts')],
    outfile: 'dist/sandbox/child/main.js',
    bundle: true,
    format: 'esm',
  }),
  // What runs in front of the script in workerd, where the configuration names its modules.
  build({
    ...shared,
    entryPoints: [source('sandbox/workerd/worker/main.ts')],
    outfile: 'dist/sandbox/workerd/worker.mjs',
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    external: ['node:async_hooks', 'settings.json'],
  }),
  build({
    ...shared,
    entryPoints: [
      { in: source('console/main.tsx'), out: 'app' },
      { in: source('console/styles/app.css'), out: 'app' },
    ],
    outdir: 'dist/console',
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
  }),
]);
const bundled = built.flatMap(({ metafile }) => Object.keys(metafile.inputs));
writeFileSync(`${root}dist/THIRD-PARTY-NOTICES.txt`, renderNotices(root, bundled));
copyFileSync(source('console/index.html'), `${root}dist/console/index.html`);
compress(`${root}dist/console/app.js`);
compress(`${root}dist/console/app.css`);

run('typescript/bin/tsc', '-p', 'tsconfig.build.json');

/** The console's files are sent as they lie here. */
function compress(file: string): void {
  const bytes = readFileSync(file);
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  writeFileSync(`${file}.br`, brotliCompressSync(bytes));
}

/** `import('../../dev/index.js')` in the command becomes a plain load of `dist/dev/index.js`. */
function leaveLazyRooms(): Plugin {
  return {
    name: 'lazy-rooms',
    setup({ onResolve }) {
      onResolve({ filter: /^\.{1,2}\// }, ({ path, kind, importer }) => {
        const room = /([a-z]+(?:\/[a-z]+)?)\/index\.js$/.exec(path)?.[1];
        if (kind !== 'dynamic-import' || !room || !path.startsWith('../') || coldRooms.includes(room))
          return undefined;
        if (!importer.startsWith(source('cli/'))) return undefined;
        return { path: `../${room}/index.js`, external: true };
      });
    },
  };
}

/** `import('execa')` in the command becomes a load of `dist/packages/execa.cjs`. */
function leaveLazyPackages(): Plugin {
  return {
    name: 'lazy-packages',
    setup({ onResolve }) {
      onResolve({ filter: new RegExp(`^(${lazyPackages.join('|')})$`) }, ({ path }) => ({
        path: `../packages/${path}.cjs`,
        external: true,
      }));
    },
  };
}

/** Leaves out modules of Node that a package loads for what is never done here. */
function leaveOutUnused(): Plugin {
  const unused = new Map([
    // Subcommands that are programs of their own.
    ['node_modules/commander/ node:child_process', 'export {};'],
    // Requests over HTTP/2.
    [
      'node_modules/@hono/node-server/ node:http2',
      'export class Http2ServerRequest {} export const constants = {};',
    ],
  ]);
  return {
    name: 'leave-out-unused',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^node:(child_process|http2)$/ }, ({ path, importer }) => {
        const [folder = ''] = /node_modules\/(@[^/]+\/)?[^/]+\//.exec(importer) ?? [];
        const key = `${folder} ${path}`;
        return unused.has(key) ? { path: key, namespace: 'unused' } : undefined;
      });
      onLoad({ filter: /.*/, namespace: 'unused' }, ({ path }) => ({ contents: unused.get(path) ?? '' }));
    },
  };
}
