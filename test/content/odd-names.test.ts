import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/base/clock.js';
import { openContent, type Content } from '../../src/content/index.js';
import { findPageProblems, knownPaths, parsePage, readPageToCheck } from '../../src/content/page/index.js';
import { createSiteContent } from '../../src/site/site-content.js';
import { processorMs } from '../support/processor-time.js';
import { temporaryFolder, writeFiles } from '../support/temporary-folder.js';
import { docsFolder } from '../../src/base/package-files.js';
import { readPage } from '../../src/diagnostics/read-page.js';
import { contentProblems } from '../../src/content/content-problems.js';

const decomposed = (text: string): string => text.normalize('NFD');

async function open(files: Record<string, string>): Promise<{ content: Content; folder: string }> {
  const folder = temporaryFolder();
  writeFiles(folder, files);
  const ids = { read: () => ({}), write: () => {} };
  const content = openContent({ folder, spaceId: 's', clock: { now: () => 0 }, ids });
  onTestFinished(() => content.close());
  await content.ready;
  return { content, folder };
}

test('finds a page whose file name encodes an accent as two characters', async () => {
  const file = decomposed('été/café.md');
  const { content } = await open({ [file]: '# Coffee\n', 'README.md': '# Start\n' });
  for (const path of ['été/café', decomposed('été/café')])
    expect(content.pageByPath(path)).toMatchObject({ file, path: 'été/café' });
  expect(createSiteContent(() => content, systemClock).pageOfFile('s', 'été/café.md')).toMatchObject({
    file,
  });
  const known = { paths: knownPaths(content), integrations: [{ name: 'hello', blocks: [] }] };
  const page = readPageToCheck('[a](été/café.md) [b](été/café) [c](été) [d](cafés.md)');
  expect(findPageProblems('README.md', page, known).map(({ message }) => message)).toEqual([
    'This link points to cafés.md, which is not a page or file in the folder.',
  ]);
});

test('gives separate paths to two pages whose names differ only in how an accent is encoded', async () => {
  const { content } = await open({ 'é/one.md': '# One\n', [decomposed('é/one.md')]: '# Other\n' });
  const titles = ['é/one', 'é/one-2'].map((path) => content.pageByPath(path)?.title);
  expect(new Set(titles)).toEqual(new Set(['One', 'Other']));
});

test.skipIf(process.platform !== 'linux')('reports a file whose name is not UTF-8', async () => {
  const { content, folder } = await open({ 'README.md': '# Start\n' });
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/b`), Buffer.from([0xff]), Buffer.from('.md')]), '# B');
  await content.look();
  expect(content.warnings()).toMatchObject([
    { file: 'b\uFFFD.md', message: 'Its name is not UTF-8. Rename it.' },
  ]);
});

test.each([
  ['blocks', (nth: number) => `{% @hello/block${nth} %}\n`],
  ['invalid tags', (nth: number) => `{% @hello/block${nth} x=' %}\n`],
  ['links', (nth: number) => `[a](page${nth}.md)\n`],
])('checks a 1 MB page with many lines and 900 %s within seconds', (_, line) => {
  const text =
    'a\n'.repeat(50_000) +
    '\n'.repeat(800_000) +
    Array.from({ length: 900 }, (__, nth) => line(nth)).join('');
  const check = (): void => {
    const { problems, links, blocks } = readPageToCheck(
      text,
      parsePage(text, () => 0),
    );
    expect([...problems, ...links, ...blocks].at(-1)).toMatchObject({ line: 850_900 });
  };
  expect(processorMs(check)).toBeLessThan(5000);
});

const pageOf = (code: string): string => readPage(code, docsFolder) ?? '';

const codes = contentProblems.map(({ code }) => code);

/** Codes that no example on a page can show. Other tests of this room cover them. */
const withoutExample = [
  'content/failed-block',
  'content/platform-address',
  'content/skipped-file',
  'content/too-complex',
  'content/unreadable-folder',
];

async function codesOf(example: string, code: string): Promise<string[]> {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'guides'));
  writeFileSync(join(folder, 'guides/first-steps.md'), '# First steps\n');
  const file = code === 'content/missing-page' ? 'SUMMARY.md' : 'page.md';
  writeFileSync(join(folder, file), example);
  const ids = { read: () => ({}), write: () => {} };
  const content = openContent({ folder, spaceId: 's', clock: { now: () => 0 }, ids });
  await content.ready;
  const known = {
    paths: knownPaths(content),
    integrations: [{ name: 'hello', blocks: [{ id: 'counter', title: 'Counter', urlUnfurl: [] }] }],
  };
  const ofPage = content.pageByPath('page') ? findPageProblems(file, readPageToCheck(example), known) : [];
  content.close();
  return [...content.warnings(), ...ofPage].map((problem) => `content/${problem.code}`);
}

test.each(codes)('the explanation of %s has a title, a sentence and a reason', (code) => {
  expect(pageOf(code)).toMatch(
    new RegExp(`^# ${code}\n\n(?:Severity: .*\n\n)?[A-Z].+\\.\n[^]*\n\\*\\*Why\\.\\*\\* .+\n`),
  );
});

test.each(codes.filter((code) => !withoutExample.includes(code)))(
  'only the incorrect example in the explanation of %s causes the problem',
  async (code) => {
    const [wrong = '', right = ''] = [...pageOf(code).matchAll(/```md\n([^]*?)```/g)].map(([, text]) => text);
    expect(await codesOf(wrong, code)).toEqual([code]);
    expect(await codesOf(right, code)).toEqual([]);
  },
);
