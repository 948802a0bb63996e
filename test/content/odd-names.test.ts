import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openContent, type Content } from '../../src/content/index.js';
import { findPageProblems, knownPaths, parsePage, readPageToCheck } from '../../src/content/page/index.js';
import { createSiteContent } from '../../src/site/site-content.js';
import { processorMs } from '../support/processor-time.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const decomposed = (text: string): string => text.normalize('NFD');

async function open(files: Record<string, string>): Promise<{ content: Content; folder: string }> {
  const folder = realpathSync(temporaryFolder());
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
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
  expect(createSiteContent(() => content).pageOfFile('s', 'été/café.md')).toMatchObject({ file });
  const known = {
    paths: knownPaths(content),
    integration: { name: 'hello', blocks: [] },
  };
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
  writeFileSync(
    Buffer.concat([Buffer.from(`${folder}/b`), Buffer.from([0xff]), Buffer.from('.md')]),
    '# B\n',
  );
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
