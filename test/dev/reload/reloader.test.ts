import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createVirtualClock } from '../../../src/base/clock.js';
import { png } from '../../manifest/images.js';
import { answering, manifest, reloading } from './reloading.js';

test.each([
  ['truncated', (half: string) => half],
  ['empty', () => ''],
  ['half-written', () => `export const first = 1;\n`],
])('does not report a file that is %s while it is being saved', async (_, cut) => {
  const project = await reloading({ 'src/index.ts': answering(`'one'`) });
  const next = answering(`'two'`);
  project.write('src/index.ts', cut(next.slice(0, 30)));
  await sleep(15);
  project.write('src/index.ts', next);
  await project.answers('two');
  expect(project.told()).toEqual(['built', 'built']);
});

test('does not report a file as missing while its replacement is moved into place', async () => {
  const project = await reloading({ 'src/index.ts': answering(`'one'`) });
  project.move('src/index.ts', 'src/index.ts~');
  await sleep(15);
  project.write('src/index.tmp', answering(`'two'`));
  project.move('src/index.tmp', 'src/index.ts');
  await project.answers('two');
  expect(project.told()).toEqual(['built', 'built']);
});

test('does not report a manifest that is only half written', async () => {
  const project = await reloading({ 'src/index.ts': answering(`'one'`), 'src/other.ts': answering(`'two'`) });
  project.write('platform-manifest.yaml', 'name: sample\ntitle: Sam');
  await sleep(15);
  project.write('platform-manifest.yaml', manifest({ script: 'src/other.ts' }));
  await project.answers('two');
  expect(project.told()).toEqual(['built', 'built']);
});

test('reports a broken build once and serves the last working build until it is fixed', async () => {
  const project = await reloading({ 'src/index.ts': answering(`'one'`) });
  project.forget();
  project.write('src/index.ts', 'export default {');
  await expect.poll(project.told).toEqual(['bundle/syntax-error']);
  expect(await project.answer()).toBe('one');
  project.write('src/index.ts', answering(`'two'`));
  await project.answers('two');
  expect(project.told()).toEqual(['bundle/syntax-error', 'built']);
});

test('deploys a build even if one of its files changes continuously', async () => {
  const project = await reloading({ 'src/index.ts': answering(`'one'`) });
  project.forget();
  const storm = setInterval(() => project.write('src/index.ts', answering(`'${performance.now()}'`)), 4);
  try {
    await expect.poll(project.told).toContain('built');
  } finally {
    clearInterval(storm);
  }
  project.write('src/index.ts', answering(`'last'`));
  await project.answers('last');
});

test('does not build a file that is saved after the session has ended', async () => {
  const project = await reloading({ 'src/index.ts': answering(`'one'`) });
  const storm = setInterval(() => project.write('src/index.ts', answering(`'${performance.now()}'`)), 4);
  try {
    await expect.poll(project.told).toHaveLength(2);
    await project.close();
    project.forget();
    await sleep(300);
    expect(project.told()).toEqual([]);
  } finally {
    clearInterval(storm);
  }
});

test('detects that a new file fixes the build', async () => {
  const project = await reloading({ 'src/index.ts': answering(`'one'`) });
  project.forget();
  project.write('src/new/value.ts', 'export const value = ;');
  project.write('src/index.ts', answering('value', `import { value } from './new/value';`));
  await expect.poll(project.told).toEqual(['bundle/syntax-error']);
  project.write('src/new/value.ts', `export const value = 'two';`);
  await project.answers('two');
});

test('detects a fix in a file that imports the broken one', async () => {
  const project = await reloading({ 'src/index.ts': answering(`'one'`) });
  project.forget();
  project.write('lib/near.ts', `import { far } from './far'; export const value = far;`);
  project.write('lib/far.ts', 'export const far = ;');
  project.write('src/index.ts', answering('value', `import { value } from '../lib/near';`));
  await expect.poll(project.told).toEqual(['bundle/syntax-error']);
  project.write('lib/near.ts', `export const value = 'two';`);
  await project.answers('two');
});

test.each(['./new', './folder/new', '../outside/deep/new'])('detects that %s appears', async (path) => {
  const project = await reloading({ 'src/index.ts': answering(`'one'`) });
  project.forget();
  project.write('src/index.ts', answering('value', `import { value } from '${path}';`));
  await expect.poll(project.told).toEqual(['bundle/unresolved-import']);
  project.write(`src/${path}.ts`, `export const value = 'two';`);
  await project.answers('two');
});

test('detects when a package of the workspace is built', async () => {
  const project = await reloading({ 'src/index.ts': answering(`'one'`) });
  project.forget();
  project.write('packages/pack/package.json', '{ "type": "module", "exports": { ".": "./dist/index.js" } }');
  project.write('node_modules/.keep', '');
  symlinkSync('../packages/pack', join(project.folder, 'node_modules/pack'));
  project.write('src/index.ts', answering('value', `import { value } from 'pack';`));
  await expect.poll(project.told).toEqual(['bundle/unresolved-import']);
  project.write('packages/pack/dist/index.js', `export const value = 'two';`);
  await project.answers('two');
});

test('detects when a package is installed or updated', async () => {
  const project = await reloading({ 'src/index.ts': answering(`'one'`) });
  project.forget();
  project.write('src/index.ts', answering('value', `import { value } from 'pack';`));
  await expect.poll(project.told).toEqual(['bundle/unresolved-import']);
  project.write('node_modules/pack/package.json', '{ "type": "module", "main": "index.js" }');
  project.write('node_modules/pack/index.js', `export const value = 'two';`);
  project.write('node_modules/.package-lock.json', '{}');
  await project.answers('two');
  project.write('node_modules/pack/index.js', `export const value = 'three';`);
  project.write('node_modules/.package-lock.json', '{ }');
  await project.answers('three');
});

test.each(['tsconfig.json', 'src/tsconfig.json', 'base.json'])('detects a new alias in %s', async (name) => {
  const leading = (to: string): string =>
    JSON.stringify({ compilerOptions: { paths: { value: [`./${to}.ts`] } } });
  const project = await reloading({
    ...(name === 'base.json' && { 'tsconfig.json': '{ "extends": "./base.json" }' }),
    [name]: leading('a'),
    'a.ts': `export const value = 'a';`,
    'b.ts': `export const value = 'b';`,
    'src/a.ts': `export const value = 'a';`,
    'src/b.ts': `export const value = 'b';`,
    'src/index.ts': answering('value', `import { value } from 'value';`),
  });
  expect(await project.answer()).toBe('a');
  project.write(name, leading('b'));
  await project.answers('b');
});

test('detects when a tsconfig is created or deleted', async () => {
  const project = await reloading({
    'src/index.ts': answering('value', `import { value } from 'value';`),
    'a.ts': `export const value = 'a';`,
  });
  project.write('tsconfig.json', '{ "compilerOptions": { "paths": { "value": ["./a.ts"] } } }');
  await project.answers('a');
});

test('detects files that are created one by one after the file that imports them', async () => {
  const project = await reloading({ 'src/index.ts': answering(`'one'`) });
  const names = Array.from({ length: 60 }, (_, n) => `f${n}`);
  const imports = names.map((name) => `import { ${name} } from './many/${name}';`).join('\n');
  project.write('src/index.ts', answering(names.join(' + '), imports));
  for (const name of names) {
    project.write(`src/many/${name}.ts`, `export const ${name} = 1;`);
    if (Number(name.slice(1)) % 4 === 0) await sleep(1);
  }
  await project.answers('60');
});

test('builds only once when many files are saved at the same time', async () => {
  const names = Array.from({ length: 200 }, (_, n) => `f${n}`);
  const all = (value: string): Record<string, string> => ({
    ...Object.fromEntries(names.map((name) => [`src/${name}.ts`, `export const ${name} = '${value}';`])),
    'src/index.ts': answering(
      `new Set([${names.join()}]).size + ${names.at(-1)} + '${value}'`,
      names.map((name) => `import { ${name} } from './${name}';`).join('\n'),
    ),
  });
  const project = await reloading(all('a'));
  expect(await project.answer()).toBe('1aa');
  project.forget();
  for (const [name, text] of Object.entries(all('b'))) project.write(name, text);
  await project.answers('1bb');
  expect(project.told().length).toBeLessThan(3);
});

test("keeps working after the script's folder is renamed and then renamed back", async () => {
  const project = await reloading({ 'src/index.ts': answering(`'one'`) });
  project.forget();
  project.move('src', 'source');
  await expect.poll(project.told).toEqual(['manifest/file-not-found']);
  project.write('source/index.ts', answering(`'two'`));
  project.move('source', 'src');
  await project.answers('two');
});

test('detects changes to source files behind a symlink', async () => {
  const project = await reloading({ 'src/index.ts': answering(`'one'`) });
  const elsewhere = join(project.folder, '../elsewhere');
  project.write('../elsewhere/value.ts', `export const value = 'two';`);
  symlinkSync(elsewhere, join(project.folder, 'src/linked'));
  project.write('src/index.ts', answering('value', `import { value } from './linked/value';`));
  await project.answers('two');
  writeFileSync(join(elsewhere, 'value.ts'), `export const value = 'three';`);
  await project.answers('three');
});

test.each([
  ['script', 'scripts/main.ts'],
  ['icon', './assets/icon.png'],
])("detects when the missing file for the manifest's %s appears", async (key, path) => {
  const project = await reloading({ 'src/index.ts': answering(`'one'`) });
  project.forget();
  project.write('platform-manifest.yaml', manifest({ [key]: path }));
  await expect.poll(project.told).toEqual(['manifest/file-not-found']);
  project.forget();
  project.write(path, key === 'icon' ? png(512, 512) : answering(`'two'`));
  await expect.poll(project.told).toEqual(['built']);
});

test.each(['one', 'two'])('serves the script "%s" once the manifest has a script again', async (text) => {
  const project = await reloading({ 'src/index.ts': answering(`'one'`) });
  project.write('platform-manifest.yaml', manifest().replace(/script: .*/, ''));
  await expect.poll(project.answer).toContain('has no script');
  project.write('src/index.ts', answering(`'${text}'`));
  project.write('platform-manifest.yaml', manifest());
  await project.answers(text);
});

test('serves a file that is saved during startup', async () => {
  const project = await reloading({ 'src/index.ts': answering(`'one'`) }, async (write) => {
    await sleep(300);
    write('src/index.ts', answering(`'two'`));
    await sleep(50);
  });
  expect(await project.answer()).toBe('two');
});

test('serves a script that is saved with Windows line endings', async () => {
  const project = await reloading({ 'src/index.ts': answering(`'one'`) });
  project.write('src/index.ts', answering(`'two'`).replaceAll('\n', '\r\n'));
  await project.answers('two');
});

test('reports a script that hangs in a loop while loading, and replaces it on the next save', async () => {
  const clock = createVirtualClock(Date.now());
  const project = await reloading({ 'src/index.ts': answering(`'one'`) }, undefined, clock);
  project.write('src/index.ts', 'for (;;);');
  await expect.poll(() => clock.waiting().count).toBe(1);
  project.forget();
  await clock.advance(2_999);
  expect(project.told()).toEqual([]);
  await clock.advance(1);
  expect(project.told()).toEqual([
    'src/index.ts is still being loaded after 3 s. Look for an infinite loop, or for a top-level await that never resolves. A saved change replaces it immediately.',
  ]);
  expect(await project.answer()).toBe('one');
  project.write('src/index.ts', answering(`'two'`));
  await project.answers('two');
  expect(project.told()).toHaveLength(2);
  expect(clock.waiting().count).toBe(0);
});

test('does not blame the script for a platform error during deployment', async () => {
  let full = false;
  const project = await reloading({ 'src/index.ts': answering(`'one'`) }, undefined, undefined, () => {
    if (full) throw new Error('The disk is full.');
  });
  project.forget();
  full = true;
  project.write('src/index.ts', answering(`'two'`));
  await expect
    .poll(project.told)
    .toEqual(['The build could not be activated: The disk is full. Save a file to try again.']);
  full = false;
  project.forget();
  project.write('src/index.ts', answering(`'three'`));
  await expect.poll(project.told).toEqual(['built']);
  expect(await project.answer()).toBe('three');
});

test.each([
  ['cannot be built', 'export default {'],
  ['cannot be loaded', 'throw new Error("no")'],
])('does not report a first script that %s as still being built', async (_, source) => {
  const project = await reloading({ 'src/index.ts': source });
  expect(await project.answer()).toBe(
    JSON.stringify({
      error:
        'The script is not running because its first build failed. The output of platform dev shows why.',
    }),
  );
  project.write('src/index.ts', answering(`'one'`));
  await project.answers('one');
});
