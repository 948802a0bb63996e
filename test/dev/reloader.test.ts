import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { answering, reloading } from './reloading.js';

test.each([
  ['cut short', (half: string) => half],
  ['empty', () => ''],
  ['half of its lines', () => `export const first = 1;\n`],
])('a file that is %s while it is saved is not told', async (_, cut) => {
  const project = await reloading({ 'src/index.ts': answering(`'one'`) });
  const next = answering(`'two'`);
  project.write('src/index.ts', cut(next.slice(0, 30)));
  await sleep(15);
  project.write('src/index.ts', next);
  await project.answers('two');
  expect(project.told()).toEqual(['built', 'built']);
});

test('a file that is gone until its successor is moved to its place is not told', async () => {
  const project = await reloading({ 'src/index.ts': answering(`'one'`) });
  project.move('src/index.ts', 'src/index.ts~');
  await sleep(15);
  project.write('src/index.tmp', answering(`'two'`));
  project.move('src/index.tmp', 'src/index.ts');
  await project.answers('two');
  expect(project.told()).toEqual(['built', 'built']);
});

test('a manifest that is half written is not told', async () => {
  const project = await reloading({ 'src/index.ts': answering(`'one'`), 'src/other.ts': answering(`'two'`) });
  project.write('platform-manifest.yaml', 'name: sample\ntitle: Sam');
  await sleep(15);
  project.write(
    'platform-manifest.yaml',
    'name: sample\ntitle: Sample\ndescription: x\norganization: my-org\nvisibility: private\nscopes: []\nscript: src/other.ts\n',
  );
  await project.answers('two');
  expect(project.told()).toEqual(['built', 'built']);
});

test('what stays broken is told once, and what worked goes on answering until it is mended', async () => {
  const project = await reloading({ 'src/index.ts': answering(`'one'`) });
  project.forget();
  project.write('src/index.ts', 'export default {');
  await expect.poll(project.told).toEqual(['bundle/syntax-error']);
  expect(await project.answer()).toBe('one');
  project.write('src/index.ts', answering(`'two'`));
  await project.answers('two');
  expect(project.told()).toEqual(['bundle/syntax-error', 'built']);
});

test('a file that never comes to rest is put in place all the same', async () => {
  const project = await reloading({ 'src/index.ts': answering(`'one'`) });
  project.forget();
  const storm = setInterval(() => project.write('src/index.ts', answering(`'${performance.now()}'`)), 4);
  try {
    await expect.poll(project.told, { timeout: 3_000 }).toContain('built');
  } finally {
    clearInterval(storm);
  }
  project.write('src/index.ts', answering(`'last'`));
  await project.answers('last');
});

test('many files at once are one build', async () => {
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

test('sources behind a link are followed', async () => {
  const project = await reloading({ 'src/index.ts': answering(`'one'`) });
  const elsewhere = join(project.folder, '../elsewhere');
  project.write('../elsewhere/value.ts', `export const value = 'two';`);
  symlinkSync(elsewhere, join(project.folder, 'src/linked'));
  project.write('src/index.ts', answering('value', `import { value } from './linked/value';`));
  await project.answers('two');
  writeFileSync(join(elsewhere, 'value.ts'), `export const value = 'three';`);
  await project.answers('three');
});

test('lines that end with CR LF are the same script', async () => {
  const project = await reloading({ 'src/index.ts': answering(`'one'`) });
  project.write('src/index.ts', answering(`'two'`).replaceAll('\n', '\r\n'));
  await project.answers('two');
});
