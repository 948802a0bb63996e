import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { llmsText } from '../../scripts/reference/llms.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const listed = [...llmsText().matchAll(/\]\(([^)]*)\)/g)].map(([, page = '']) => `docs/${page}`);

test('docs/llms.txt is up to date: run npm run generate', () => {
  expect(readFileSync(`${root}docs/llms.txt`, 'utf8')).toBe(`${llmsText()}\n`);
});

test('docs/llms.txt lists every guide and every page of the reference', () => {
  const pages = ['guides', 'reference'].flatMap((folder) =>
    readdirSync(`${root}docs/${folder}`)
      .filter((file) => file.endsWith('.md'))
      .map((file) => `docs/${folder}/${file}`),
  );
  console.log(`llms.txt: ${listed.length} pages`);
  expect(pages.filter((page) => !listed.includes(page))).toEqual([]);
});

test('the package contains docs/llms.txt and the pages that it and the README name', () => {
  const output = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ files }] = JSON.parse(output) as [{ files: { path: string }[] }];
  const packed = files.map(({ path }) => path);
  const atTop = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'];
  expect([...listed, ...atTop, 'docs/llms.txt'].filter((page) => !packed.includes(page))).toEqual([]);
});
