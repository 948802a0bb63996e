import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { writeDeclarations } from './declarations.js';
import { renderNotices } from './third-party-notices.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Rooms of commands that must start fast. They go into the one file that the code cache runs. */
const coldRooms = ['cli', 'contract', 'dev', 'diagnostics', 'manifest', 'protocol', 'publish', 'recordings'];
/** Rooms that the command loads on demand, and the one that authors import in tests. */
const lazyRooms = ['scaffold', 'testing'];
/** Packages that the command loads on demand. */
const lazyPackages = ['execa', 'prompts'];
/** Parts of rooms that few commands need, each with the name of its file in `dist/packages`. */
const lazyParts = {
  'content/page/index': 'page',
  'mcp/index': 'mcp',
  'cli/commands/docs/search-pages': 'search-pages',
  'contract/generated/openapi': 'openapi',
};
/** What authors import in their scripts and servers. */
const sdkEntries = [
  'runtime/index.ts',
  'runtime/jsx-runtime.ts',
  'runtime/jsx-dev-runtime.ts',
  'webhooks/index.ts',
  'webhooks/node/index.ts',
  'deliveries/index.ts',
];

const source = (path: string): string => `${root}src/${path}`;

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
    entryPoints: await withImports(sdkEntries.map(source)),
    outbase: 'src',
    outdir: 'dist',
    format: 'esm',
    platform: 'neutral',
  }),
  // The same modules bundled into a few files, because our own bundler checks each file at every save.
  build({
    ...shared,
    entryPoints: {
      index: source('runtime/index.ts'),
      'jsx-runtime': source('runtime/jsx-runtime.ts'),
      'jsx-dev-runtime': source('runtime/jsx-dev-runtime.ts'),
    },
    outdir: 'dist/sdk',
    // A file with this ending is not parsed again at every save. A `.js` file would be.
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    chunkNames: '[name]-[hash]',
    format: 'esm',
    platform: 'neutral',
  }),
  buildCommand('cli/main.ts', 'cli'),
  buildCommand('deliveries/command/main.ts', 'deliveries'),
  // Loaded on demand.
  build({
    ...shared,
    entryPoints: [
      ...lazyPackages.map((name) => ({ in: name, out: name })),
      ...Object.entries(lazyParts).map(([path, out]) => ({ in: source(path), out })),
    ],
    outdir: 'dist/packages',
    bundle: true,
    minify: true,
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
    define: { 'import.meta.url': 'importMetaUrl' },
    banner: { js: "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;" },
    plugins: [leaveOutSchemaChecks()],
  }),
  build({
    ...shared,
    entryPoints: lazyRooms.map((room) => source(`${room}/index.ts`)),
    outbase: 'src',
    outdir: 'dist',
    bundle: true,
    splitting: true,
    minifySyntax: true,
    chunkNames: 'chunks/[name]-[hash]',
    format: 'esm',
    external: ['esbuild', 'libsql', 'fsevents'],
    banner: {
      // Under a name of its own, because a module below may also import it.
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
  }),
  // A single file, because it starts at every reload, and because its lines have to be recognized in the
  // author's stack traces.
  build({
    ...shared,
    entryPoints: [source('sandbox/child/main.ts')],
    outfile: 'dist/sandbox/child/main.js',
    bundle: true,
    format: 'esm',
  }),
  build({
    ...shared,
    entryPoints: [source('sandbox/child/replay-main.ts')],
    outfile: 'dist/sandbox/child/replay.js',
    bundle: true,
    format: 'esm',
  }),
  // The code that runs before the script in workerd, where the configuration names its modules.
  build({
    ...shared,
    entryPoints: {
      worker: source('sandbox/workerd/worker/main.ts'),
      replay: source('sandbox/workerd/worker/replay-main.ts'),
    },
    outdir: 'dist/sandbox/workerd',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    external: ['node:async_hooks', 'settings.json'],
  }),
  buildPageFiles('console', 'main.tsx'),
  buildPageFiles('site', 'app/main.tsx'),
  // Renders the site's pages. The first request loads it.
  build({
    ...shared,
    entryPoints: [source('site/index.ts')],
    outfile: 'dist/site/index.cjs',
    bundle: true,
    minify: true,
    format: 'cjs',
    // The console's elements ask their page for its protocol. The site is always served like this.
    define: { 'location.protocol': '"http:"', 'import.meta.url': 'importMetaUrl' },
    banner: { js: "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;" },
  }),
]);
const bundled = built.flatMap(({ metafile }) => Object.keys(metafile.inputs));
writeFileSync(`${root}dist/THIRD-PARTY-NOTICES.txt`, renderNotices(root, bundled));
for (const room of ['cli', 'deliveries']) requireAscii(`${root}dist/${room}/main.cjs`);
copyFileSync(source('console/index.html'), `${root}dist/console/index.html`);
for (const file of ['app.js', 'chunk.js', 'later.js', 'app.css']) compress(`${root}dist/console/${file}`);
compress(`${root}dist/site/app.js`);
compress(`${root}dist/site/app.css`);

writeDeclarations(`${root}tsconfig.build.json`);

/** A command in one file, which the code cache runs. */
function buildCommand(main: string, room: string) {
  return build({
    ...shared,
    entryPoints: [source(main)],
    outfile: `dist/${room}/main.cjs`,
    bundle: true,
    minify: true,
    format: 'cjs',
    // The code cache runs the file as a script, in which `import()` does not work.
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': 'importMetaUrl' },
    // `bin/start.js` runs the text as it is: a megabyte that is put together there takes a millisecond.
    banner: {
      js: "(function (require, module, __filename) {const importMetaUrl = require('node:url').pathToFileURL(__filename).href;",
    },
    footer: { js: '})' },
    external: ['esbuild', 'libsql', 'fsevents'],
    plugins: [leaveLazyPackages(), leaveLazyRooms(), leaveOutUnused()],
  });
}

/** The script and the styles of a room whose pages are shown in a browser. */
function buildPageFiles(room: string, main: string) {
  return build({
    ...shared,
    entryPoints: [
      { in: source(`${room}/${main}`), out: 'app' },
      { in: source(`${room}/styles/app.css`), out: 'app' },
    ],
    outdir: `dist/${room}`,
    bundle: true,
    // `later.js` contains what the console's first view does not need, and `chunk.js` what both scripts need.
    splitting: room === 'console',
    chunkNames: '[name]',
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    plugins: [leaveOutExamples()],
  });
}

/** The modules, and every module that they import. */
async function withImports(modules: string[]): Promise<string[]> {
  const { metafile } = await build({
    ...shared,
    entryPoints: modules,
    outdir: 'dist',
    bundle: true,
    write: false,
    format: 'esm',
    external: ['pg'],
  });
  return Object.keys(metafile.inputs);
}

/** `bin/start.js` reads this file as Latin-1. esbuild escapes other characters, but not those of regular expressions. */
function requireAscii(file: string): void {
  const [, character] = /([^\0-\x7f].{0,40})/.exec(readFileSync(file, 'utf8')) ?? [];
  if (character !== undefined)
    throw new Error(`Escape this character in the source of ${file}: ${character}`);
}

/** The console's files, served without further processing. */
function compress(file: string): void {
  const bytes = readFileSync(file);
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  writeFileSync(`${file}.br`, brotliCompressSync(bytes));
}

/** Turns `import('../../dev/index.js')` in a command into a load of `dist/dev/index.js`. */
function leaveLazyRooms(): Plugin {
  return {
    name: 'lazy-rooms',
    setup({ onResolve }) {
      onResolve({ filter: /^\.\.\/.*\bindex\.js$/ }, ({ path, kind, importer, resolveDir }) => {
        const file = relative(source(''), resolve(resolveDir, path)).replaceAll('\\', '/');
        const [room = ''] = file.split('/');
        if (kind !== 'dynamic-import' || coldRooms.includes(room)) return undefined;
        if (!/src[\\/](cli|deliveries[\\/]command)[\\/]/.test(importer)) return undefined;
        return { path: `../${file}`, external: true };
      });
    },
  };
}

/** Turns `import('execa')` in the command into a load of `dist/packages/execa.cjs`, and so with the lazy parts. */
function leaveLazyPackages(): Plugin {
  return {
    name: 'lazy-packages',
    setup({ onResolve }) {
      onResolve({ filter: new RegExp(`^(${lazyPackages.join('|')})$`) }, ({ path }) => ({
        path: `../packages/${path}.cjs`,
        external: true,
      }));
      onResolve({ filter: /^\.{1,2}\/.*\.js$/ }, ({ path, kind, resolveDir }) => {
        if (kind !== 'dynamic-import') return undefined;
        const part = relative(source(''), resolve(resolveDir, path)).slice(0, -3).replaceAll('\\', '/');
        const name = lazyParts[part as keyof typeof lazyParts] as string | undefined;
        return name === undefined ? undefined : { path: `../packages/${name}.cjs`, external: true };
      });
    },
  };
}

/** The server checks the input of its tools itself, so the validator of its package is not needed. */
function leaveOutSchemaChecks(): Plugin {
  return {
    name: 'leave-out-schema-checks',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^@modelcontextprotocol\/server\/_shims$/ }, ({ path }) => ({
        path,
        namespace: 'shims',
      }));
      onLoad({ filter: /.*/, namespace: 'shims' }, () => ({
        contents:
          'export class DefaultJsonSchemaValidator {} export { default as process } from "node:process";',
      }));
    },
  };
}

/** The console makes forms from the schemas of events. It reads neither their examples nor the ids that it sets itself. */
function leaveOutExamples(): Plugin {
  const unused = ['$schema', '$id', 'additionalProperties', 'examples', 'items', 'minLength', 'oneOf'];
  /** A property of an event may also have the name `title`. Its value is a schema. */
  const isUnused = (key: string, value: unknown): boolean =>
    unused.includes(key) || (key === 'title' && typeof value === 'string');
  const setByConsole = ['eventId', 'installationId', 'siteId', 'spaceId'];
  return {
    name: 'leave-out-examples',
    setup({ onLoad }) {
      onLoad({ filter: /\bevents\.schema\.json$/ }, ({ path }) => ({
        contents: JSON.stringify(
          JSON.parse(readFileSync(path, 'utf8'), (key, value: unknown) =>
            isUnused(key, value) ? undefined : setByConsole.includes(key) ? {} : value,
          ),
        ),
        loader: 'json',
      }));
    },
  };
}

/** Leaves out Node modules that a package loads for features that the platform does not use. */
function leaveOutUnused(): Plugin {
  const unused = new Map([
    // For subcommands that are separate programs.
    ['node_modules/commander/ node:child_process', 'export {};'],
    // For requests over HTTP/2.
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
