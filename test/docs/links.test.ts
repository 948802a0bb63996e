import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const atTop = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'];
const inDocs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.md'))
  .map((file) => join('docs', file));

/** Without its code blocks, where brackets mean something else. */
const readPage = (page: string): string =>
  readFileSync(join(root, page), 'utf8')
    .replaceAll(/^```[^]*?^```/gm, '')
    .replaceAll(/`[^`\n]*`/g, '');

const anchorsOf = (page: string): string[] =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

/** Files of this repository that a page links to, with the anchor. */
const linksOf = (page: string): { file: string; anchor: string | undefined }[] =>
  [...readPage(page).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => {
      const [path = '', anchor] = link.split('#');
      return { file: path === '' ? page : normalize(join(dirname(page), path)), anchor };
    });

test('every link in the README and the docs points to an existing file and heading', () => {
  const links = [...atTop, ...inDocs].flatMap((page) => linksOf(page).map((link) => ({ page, ...link })));
  console.log(`links: ${links.length} in ${atTop.length + inDocs.length} pages`);
  const broken = links.filter(
    ({ file, anchor }) =>
      !existsSync(join(root, file)) ||
      (anchor !== undefined && file.endsWith('.md') && !anchorsOf(file).includes(anchor)),
  );
  expect(broken).toEqual([]);
});

test('every page is reachable from docs/README.md', () => {
  const seen = new Set<string>();
  const follow = (page: string): void => {
    if (seen.has(page) || !page.endsWith('.md') || !statSync(join(root, page)).isFile()) return;
    seen.add(page);
    for (const { file } of linksOf(page)) follow(file);
  };
  follow('docs/README.md');
  expect(
    inDocs.filter((page) => !seen.has(page)),
    'run "npm run generate", which lists the pages of codes; link every other page from docs/README.md or a page below it',
  ).toEqual([]);
});
