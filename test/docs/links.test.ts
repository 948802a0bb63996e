import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { pagesToInstallFrom, withInstallText } from '../../scripts/install-text.js';

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

const guide = readFileSync(join(root, 'docs/guides/troubleshooting.md'), 'utf8');

/** Messages of the shell and of the bundler. */
const ofOthers = ['platform: command not found', 'Dynamic require of "…" is not supported'];

const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => readFileSync(join(root, 'src', file), 'utf8'))
  .join('\n')
  .replaceAll('${manifestFileName}', 'platform-manifest.yaml')
  .replaceAll('The runtime ${name} is', 'The runtime workerd is');

test('every name in docs/fidelity.md exists in the source', () => {
  const names = [...readFileSync(join(root, 'docs/fidelity.md'), 'utf8').matchAll(/`([^`]+)`/g)].map(
    ([, name = '']) => name.split(/ |\[\]\./).at(-1) ?? '',
  );
  expect(names.length).toBeGreaterThan(30);
  expect(names.filter((name) => !sources.includes(name))).toEqual([]);
});

/** The fixed parts of a message; `…` stands for what is different each time. */
const fixedParts = (message: string): string[] =>
  message
    .split('…')
    .map((part) => part.trim().replace(/[.,]$/, ''))
    .filter((part) => part.length > 3);

test('prints every message that is a heading in the troubleshooting guide', () => {
  const messages = [...guide.matchAll(/^### .*?`(.+?)`/gm)]
    .map(([, message = '']) => message)
    .filter((message) => !ofOthers.includes(message));
  console.log(`troubleshooting: ${messages.length} messages in the source`);
  expect(messages.length).toBeGreaterThan(15);
  const missing = messages.flatMap((message) => {
    const parts = fixedParts(message).filter((part) => !sources.includes(part));
    return parts.length > 0 ? [{ message, parts }] : [];
  });
  expect(missing).toEqual([]);
});

test('the README and the guides explain how to install the package (npm run generate updates them)', () => {
  const pages = pagesToInstallFrom().map((page) => ({
    page: page.pathname,
    text: readFileSync(page, 'utf8'),
  }));
  const saying = pages.filter(({ text }) => text.includes('<!-- install -->'));
  expect(saying.length).toBeGreaterThanOrEqual(2);
  expect(saying.filter(({ text }) => withInstallText(text) !== text).map(({ page }) => page)).toEqual([]);
});

test('no page contains an install command outside the shared install section', () => {
  const own = pagesToInstallFrom().filter((page) =>
    /npm (install|i|add) .*integration-platform(\s|$)/m.test(
      readFileSync(page, 'utf8').replaceAll(/<!-- install -->[^]*?<!-- \/install -->/g, ''),
    ),
  );
  expect(own.map(({ pathname }) => pathname)).toEqual([]);
});
