import { readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';
import { expect, test } from 'vitest';
import { readImageInfo } from '../../../src/manifest/index.js';
import { templates } from '../../../src/scaffold/index.js';

const root = fileURLToPath(new URL('../../../templates/', import.meta.url));

const twins = templates.flatMap(({ name }) =>
  readdirSync(`${root}${name}/ts`, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => [`${name}/ts/${path}`, `${name}/js/${path.replace(/\.ts(x?)$/, '.js$1')}`] as const),
);

const code = async (path: string): Promise<string> => {
  const source = readFileSync(`${root}${path}`, 'utf8');
  const loader = path.endsWith('s') ? 'ts' : 'tsx';
  return (await transform(source, { loader, jsx: 'preserve', minifyWhitespace: true })).code;
};

test.each(twins)('generates the same code for %s in both languages', async (typescript, javascript) => {
  expect(await code(javascript)).toBe(await code(typescript));
});

test('provides every template in both languages, with a counterpart for every file', () => {
  const scripts = templates.flatMap(({ name }) =>
    readdirSync(`${root}${name}/js`, { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.jsx?$/.test(path))
      .map((path) => `${name}/js/${path}`),
  );
  expect(scripts.sort()).toEqual(twins.map(([, javascript]) => javascript).sort());
  expect(new Set(twins.map(([path]) => path.split('/')[0])).size).toBe(templates.length);
});

test("provides an icon that meets the marketplace's requirements", () => {
  const file = `${root}shared/assets/icon.png`;
  expect(readImageInfo(file)).toMatchObject({ format: 'png', width: 512, height: 512 });
  expect(statSync(file).size).toBeLessThan(250_000);
});

test("keeps each template's README short enough for one screen", () => {
  for (const { name } of templates) {
    const lines = readFileSync(`${root}${name}/README.md`, 'utf8').split('\n').length;
    expect(lines, name).toBeLessThan(50);
  }
});
