import { copyFileSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const run = (tool: string, ...args: string[]): void => {
  execFileSync(process.execPath, [`node_modules/${tool}`, ...args], { cwd: root, stdio: 'inherit' });
};

/** Rooms of commands that have to start fast: they go into the one file that is run through the code cache. */
const coldRooms = ['cli', 'dev', 'diagnostics', 'manifest', 'protocol'];
/** Rooms that the command loads when it needs them. */
const lazyRooms = ['bundle', 'emulator', 'publish', 'sandbox', 'scaffold', 'store', 'testing'];
/** What authors import, module by module. */
const sdkRooms = ['protocol', 'runtime', 'webhooks'];

const source = (path: string): string => `${root}src/${path}`;
const modulesOf = (room: string): string[] =>
  readdirSync(source(room), { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<![.]d)[.](ts|tsx|js)$/.test(file))
    .map((file) => source(`${room}/${file}`));

const shared = { absWorkingDir: root, platform: 'node', target: 'node20.19', logLevel: 'warning' } as const;

rmSync(`${root}dist`, { recursive: true, force: true });
await import('./generate.js');

await Promise.all([
  build({
    ...shared,
    entryPoints: sdkRooms.flatMap(modulesOf),
    outbase: 'src',
    outdir: 'dist',
    format: 'esm',
    platform: 'neutral',
  }),
  build({
    ...shared,
    entryPoints: [source('cli/main.ts')],
    outfile: 'dist/cli/main.cjs',
    bundle: true,
    minify: true,
    keepNames: true,
    format: 'cjs',
    // The code cache runs it as a script, where `import()` is not to be had.
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': 'importMetaUrl' },
    banner: { js: "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;" },
    external: ['prompts', 'execa', 'esbuild', 'libsql', 'fsevents'],
    plugins: [leaveLazyRooms(), startProcessesLater()],
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
    external: ['esbuild', 'libsql', 'execa', 'fsevents'],
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
copyFileSync(source('console/index.html'), `${root}dist/console/index.html`);

run('typescript/bin/tsc', '-p', 'tsconfig.build.json');

/** `import('../../dev/index.js')` in the command becomes a plain load of `dist/dev/index.js`. */
function leaveLazyRooms(): Plugin {
  return {
    name: 'lazy-rooms',
    setup({ onResolve }) {
      onResolve({ filter: /^\.{1,2}\// }, ({ path, kind, importer }) => {
        const room = /([a-z]+)\/index\.js$/.exec(path)?.[1];
        if (kind !== 'dynamic-import' || !room || !path.startsWith('../') || coldRooms.includes(room))
          return undefined;
        if (!importer.startsWith(source('cli/'))) return undefined;
        return { path: `../${room}/index.js`, external: true };
      });
    },
  };
}

/** The command line parser loads `child_process` (and `net` with it) for subcommands that are programs. There are none. */
function startProcessesLater(): Plugin {
  return {
    name: 'processes-later',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
        importer.includes('node_modules/commander/')
          ? { path: 'child_process', namespace: 'later' }
          : undefined,
      );
      onLoad({ filter: /.*/, namespace: 'later' }, () => ({ contents: 'export {};' }));
    },
  };
}
