import { createFixture, type FileTree, type FsFixture } from 'fs-fixture';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createBundler, type Bundle, type Bundler } from '../../src/bundle/index.js';
import type { Diagnostic, Loaded } from '../../src/diagnostics/model/diagnostic.js';

const sdk = {
  'package.json': JSON.stringify({
    name: 'integration-platform',
    type: 'module',
    exports: { '.': './index.js', './jsx-runtime': './jsx-runtime.js' },
  }),
  'index.js': `export const origin = 'command'`,
  'jsx-runtime.js': `export const jsx = (type, props) => ({ type, props, by: 'command' }); export const jsxs = jsx;`,
};

const open: { fixture: FsFixture; bundler: Bundler }[] = [];
afterEach(async () => {
  for (const { fixture, bundler } of open.splice(0)) {
    await bundler.close();
    await fixture.rm();
  }
});

interface Project {
  folder: string;
  bundler: Bundler;
  write(path: string, text: string): void;
}

async function project(files: FileTree, entry = 'src/index.tsx'): Promise<Project> {
  const fixture = await createFixture({ sdk, project: files });
  const folder = join(fixture.path, 'project');
  const bundler = createBundler({
    entry: join(folder, entry),
    folder,
    sdk: { folder: fixture.getPath('sdk') },
  });
  open.push({ fixture, bundler });
  return { folder, bundler, write: (path, text) => writeFileSync(join(folder, path), text) };
}

function value(loaded: Loaded<Bundle>): Bundle {
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.diagnostics));
  return loaded.value;
}

async function run(loaded: Loaded<Bundle>): Promise<unknown> {
  const { code } = value(loaded);
  const module = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as { default: unknown };
  return module.default;
}

/** `code file line:column-line:column` */
const places = (folder: string, diagnostics: Diagnostic[]): string[] =>
  diagnostics.map(({ code, file, range }) =>
    [
      code,
      file.slice(folder.length + 1),
      range && `${range.start.line}:${range.start.column}-${range.end.line}:${range.end.column}`,
    ].join(' '),
  );

test('bundles TypeScript, JSX, JSON, text and a package into one module', async () => {
  const { bundler } = await project({
    'src/index.tsx': `
      import { shout } from 'shout';
      import settings from './settings.json';
      import widget from './widget.raw.js';
      import style from './style.raw.css';
      import mark from './mark.svg';
      import notes from '../NOTES.md';
      const limit: number = settings.limit;
      export default [shout('a'), limit, widget, style, mark, notes, <block>{limit}</block>];`,
    'src/settings.json': '{ "limit": 3 }',
    'src/widget.raw.js': 'alert(1)',
    'src/style.raw.css': 'b{}',
    'src/mark.svg': '<svg/>',
    'NOTES.md': '# Hi',
    'node_modules/shout/package.json': '{ "name": "shout", "main": "index.js" }',
    'node_modules/shout/index.js': 'exports.shout = (text) => text.toUpperCase();',
  });
  expect(await run(await bundler.build())).toEqual([
    'A',
    3,
    'alert(1)',
    'b{}',
    '<svg/>',
    '# Hi',
    { type: 'block', props: { children: 3 }, by: 'command' },
  ]);
});

test.each([
  ['jsxImportSource', { jsx: 'react-jsx', jsxImportSource: 'preact' }],
  ['a classic factory', { jsx: 'react', jsxFactory: 'h' }],
  ['jsx to preserve', { jsx: 'preserve' }],
])('compiles JSX for the platform’s runtime even if tsconfig.json sets %s', async (_, compilerOptions) => {
  const { bundler } = await project({
    'tsconfig.json': JSON.stringify({ compilerOptions }),
    'src/index.tsx': 'export default <text>a</text>;',
  });
  expect(await run(await bundler.build())).toMatchObject({ type: 'text', by: 'command' });
});

test('compiles JSX in .js files too', async () => {
  const { bundler } = await project({ 'src/index.js': 'export default <text>a</text>;' }, 'src/index.js');
  expect(await run(await bundler.build())).toMatchObject({ type: 'text', by: 'command' });
});

test('uses the JSX runtime that a comment in the file selects', async () => {
  const { bundler } = await project({
    'src/index.tsx': `import { page } from './page'; export default [page, <text>a</text>];`,
    'src/page.tsx': `/** @jsxImportSource html */\nexport const page = <p>a</p>;`,
    'node_modules/html/jsx-runtime.js': `export const jsx = (type) => ({ type, by: 'html' });`,
  });
  expect(await run(await bundler.build())).toMatchObject([{ by: 'html' }, { by: 'command' }]);
});

test('resolves the path aliases in tsconfig.json, including inherited ones', async () => {
  const { bundler } = await project({
    'base.json': '{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }',
    'tsconfig.json': '{ // a comment\n "extends": "./base.json", }',
    'src/index.tsx': `import { limit } from '@/settings'; export default limit;`,
    'src/settings.ts': 'export const limit = 3;',
  });
  expect(await run(await bundler.build())).toBe(3);
});

test("prefers the installed SDK to the command's own copy, even in dependencies", async () => {
  const { bundler } = await project({
    'src/index.tsx': `
      import { origin } from 'integration-platform';
      import { theirs } from 'addon';
      export default [origin, theirs];`,
    'node_modules/integration-platform/package.json': '{ "type": "module", "exports": "./index.js" }',
    'node_modules/integration-platform/index.js': `export const origin = 'installed';`,
    'node_modules/addon/package.json': '{ "type": "module", "exports": "./index.js" }',
    'node_modules/addon/index.js': `export { origin as theirs } from 'integration-platform';`,
  });
  expect(await run(await bundler.build())).toEqual(['installed', 'installed']);
});

test('detects between two builds that the SDK was installed, updated or removed', async () => {
  const { bundler, folder, write } = await project({
    'src/index.tsx': `import { origin } from 'integration-platform'; export default origin;`,
  });
  expect(await run(await bundler.build())).toBe('command');
  expect(await run(await bundler.build())).toBe('command');
  const installed = join(folder, 'node_modules/integration-platform');
  mkdirSync(installed, { recursive: true });
  expect(await run(await bundler.build())).toBe('command');
  write('node_modules/integration-platform/package.json', '{ "type": "module", "exports": "./index.js" }');
  write('node_modules/integration-platform/index.js', `export const origin = 'installed';`);
  expect(await run(await bundler.build())).toBe('installed');
  write('node_modules/integration-platform/package.json', '{ "type": "module", "exports": "./next.js" }');
  write('node_modules/integration-platform/next.js', `export const origin = 'updated';`);
  expect(await run(await bundler.build())).toBe('updated');
  rmSync(installed, { recursive: true });
  expect(await run(await bundler.build())).toBe('command');
});

test('bundles the worker build of a package that has one', async () => {
  const { bundler } = await project({
    'src/index.tsx': `import kind from 'kinds'; import main from 'fields'; export default [kind, main];`,
    'node_modules/kinds/package.json': JSON.stringify({
      exports: { node: './node.js', worker: './worker.js', default: './other.js' },
    }),
    'node_modules/kinds/worker.js': `export default 'worker';`,
    'node_modules/fields/package.json': JSON.stringify({ main: './main.js', module: './module.js' }),
    'node_modules/fields/module.js': `export default 'module';`,
  });
  expect(await run(await bundler.build())).toEqual(['worker', 'module']);
});

test('reports the line that imports a Node module, but still builds the script', async () => {
  const { bundler, folder } = await project({
    'src/index.tsx': `import { join } from 'node:path';\nimport { sep } from 'old';\nexport default join('a', sep);`,
    'node_modules/old/index.js': `const path = require('path');\nexports.sep = path.posix.join('b', 'c');`,
  });
  const loaded = await bundler.build();
  expect(places(folder, loaded.diagnostics).sort()).toEqual(['bundle/node-import src/index.tsx 1:22-1:33']);
  await expect(run(loaded)).rejects.toThrow('`node:path` is a Node module, which production does not have.');
});

test.each([
  ['CommonJS', 'const { Buffer } = require("buffer");', 'require("inner");'],
  ['ESM', '// from "buffer"\nimport { Buffer } from "buffer"; Buffer.from("");', 'export * from "inner";'],
])('shows the import chain as the stack if a package (%s) uses a Node module', async (_, inner, outer) => {
  const { bundler } = await project({
    'src/index.tsx': `import { sign } from './sign';\nexport default sign;`,
    'src/sign.ts': `const a = 1;\nimport * as outer from 'outer';\nexport const sign = [a, outer];`,
    'node_modules/outer/index.js': outer,
    'node_modules/inner/index.js': inner,
  });
  const error: unknown = await run(await bundler.build()).catch((thrown: unknown) => thrown);
  const [message, ...frames] = (error as Error).stack?.split('\n    at ') ?? [];
  expect(message).toBe(
    'Error: `buffer` is a Node module, which production does not have, but the package inner imports it. Use web APIs, or a package made for browsers or workers.',
  );
  expect(frames).toEqual([
    expect.stringMatching(/^node_modules\/inner\/index[.]js:\d:\d+$/),
    expect.stringMatching(/^node_modules\/outer\/index[.]js:1:\d+$/),
    'src/sign.ts:2:24',
    'src/index.tsx:1:22',
  ]);
});

test('prefers an installed package to a Node module with the same name', async () => {
  const { bundler } = await project({
    'src/index.tsx': `import { kind } from 'buffer'; export default kind;`,
    'node_modules/buffer/index.js': `exports.kind = 'installed';`,
  });
  const loaded = await bundler.build();
  expect(loaded.diagnostics).toEqual([]);
  expect(await run(loaded)).toBe('installed');
});

test('replaces a Node module that a package excludes in browsers with an empty module', async () => {
  const { bundler, folder } = await project({
    'src/index.tsx': `import { random } from 'cipher'; export default random;`,
    'node_modules/cipher/package.json': JSON.stringify({ browser: { crypto: false, 'left-out': false } }),
    'node_modules/cipher/index.js':
      `const { randomBytes } = require('crypto');\nrequire('left-out');\n` +
      `exports.random = typeof randomBytes;`,
  });
  const loaded = await bundler.build();
  expect(loaded.diagnostics).toEqual([]);
  expect(await run(loaded)).toBe('undefined');
  expect(value(loaded).files.map((file) => file.slice(folder.length + 1))).toEqual([
    'node_modules/cipher/index.js',
    'src/index.tsx',
  ]);
});

test.each<[what: string, source: string, place: string]>([
  ['invalid syntax', 'const a = ;', 'bundle/syntax-error src/index.tsx 1:11-1:12'],
  [
    'syntax after non-Latin text',
    `let s = '漢🚀'; let b = );`,
    'bundle/syntax-error src/index.tsx 1:24-1:25',
  ],
  ['a duplicate declaration', 'const a = 1;\nconst a = 2;', 'bundle/syntax-error src/index.tsx 2:7-2:8'],
  ['a missing file', `export * from './nope';`, 'bundle/unresolved-import src/index.tsx 1:15-1:23'],
  ['a missing package', `export * from '@a/b/c';`, 'bundle/unresolved-import src/index.tsx 1:15-1:23'],
  ['export', `import { b } from './a'; export default b;`, 'bundle/missing-export src/index.tsx 1:10-1:11'],
  ['an imported image', `export * as b from './b.png';`, 'bundle/unknown-file-type src/index.tsx 1:20-1:29'],
  ['invalid JSON', `export * from './c.json';`, 'bundle/syntax-error src/c.json 1:6-1:7'],
  ['an assignment to a constant', 'const a = 1;\na = 2;', 'bundle/build-error src/index.tsx 2:1-2:2'],
  ['tsconfig.json', `export * from './d/d';`, 'bundle/syntax-error tsconfig.json 1:3-1:4'],
])('reports the position of an error caused by %s', async (what, source, place) => {
  const { bundler, folder } = await project({
    'src/index.tsx': source,
    'src/a.ts': 'export const a = 1;',
    'src/b.png': '',
    'src/c.json': '{"a":,}',
    'src/d/d.ts': 'export {}',
    ...(what === 'tsconfig.json' && { 'tsconfig.json': '{ ] }' }),
  });
  const loaded = await bundler.build();
  expect(loaded.ok).toBe(false);
  expect(places(folder, loaded.diagnostics)).toEqual([place]);
});

test('reports a missing package and the command that installs it', async () => {
  const { bundler } = await project({ 'src/index.tsx': `export * from '@scope/name/deep';` });
  const { diagnostics } = await bundler.build();
  expect(diagnostics[0]).toMatchObject({
    message: 'Could not resolve "@scope/name/deep".',
    help: 'To install the package: npm install @scope/name',
  });
});

test('reports a missing entry file', async () => {
  const { bundler, folder } = await project({});
  const { ok, diagnostics } = await bundler.build();
  expect(ok).toBe(false);
  expect(diagnostics).toEqual([
    {
      code: 'bundle/missing-entry',
      severity: 'error',
      message: 'The script `src/index.tsx` does not exist.',
      help: 'Create it, or correct `script` in the manifest.',
      file: join(folder, 'src/index.tsx'),
    },
  ]);
});

test('warns about valid but suspicious code', async () => {
  const { bundler, folder } = await project({ 'src/index.tsx': `export default typeof fetch === 'nul';` });
  const { ok, diagnostics } = await bundler.build();
  expect(ok).toBe(true);
  expect(places(folder, diagnostics)).toEqual(['bundle/suspicious-code src/index.tsx 1:33-1:38']);
});

test('rebuilds the script after a source change, an error, a fix and a change to tsconfig.json', async () => {
  const { bundler, write, folder } = await project({
    'src/index.tsx': `import { a } from './a'; export default a;`,
    'src/a.ts': 'export const a = 1;',
  });
  expect(await run(await bundler.build())).toBe(1);
  write('src/a.ts', 'export const a = 2;');
  expect(await run(await bundler.build())).toBe(2);
  write('src/a.ts', 'export const a = ;');
  expect((await bundler.build()).ok).toBe(false);
  write('src/a.ts', 'export const a = 3;');
  expect(await run(await bundler.build())).toBe(3);
  write('src/index.tsx', `import { a } from '@/a'; export default a;`);
  expect((await bundler.build()).ok).toBe(false);
  write('tsconfig.json', '{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }');
  expect(await run(await bundler.build())).toBe(3);
  rmSync(join(folder, 'src/index.tsx'));
  expect((await bundler.build()).ok).toBe(false);
});

test('lists the files in the bundle with their sizes and origins', async () => {
  const { bundler, folder } = await project({
    'src/index.tsx': `import { b } from 'b'; import { c } from '@s/c/d';\nexport default [b, c];`,
    'node_modules/b/index.js': 'exports.b = "a longer text, so that it comes first in the list of packages";',
    'node_modules/@s/c/d.js': 'export const c = 1;',
  });
  const { files, sizes, map } = value(await bundler.build());
  expect(files.map((file) => file.slice(folder.length + 1)).sort()).toEqual([
    'node_modules/@s/c/d.js',
    'node_modules/b/index.js',
    'src/index.tsx',
  ]);
  expect(sizes.map((size) => size.package)).toEqual(['b', '.', '@s/c']);
  expect(sizes.every((size) => size.bytes > 0)).toBe(true);
  expect(JSON.parse(map)).toMatchObject({
    version: 3,
    sourceRoot: `${folder}/`,
    sources: ['node_modules/b/index.js', 'src/index.tsx', 'node_modules/@s/c/d.js'],
  });
});
