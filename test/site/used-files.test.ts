import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.js';
import { openContent } from '../../src/content/index.js';
import { createUsedFiles } from '../../src/site/server/used-files.js';
import { createSiteContent } from '../../src/site/site-content.js';
import { temporaryFolder } from '../support/temporary-folder.js';

it('knows which files pages show or link to, also on hidden pages and after an edit', async () => {
  const folder = realpathSync(temporaryFolder());
  mkdirSync(join(folder, 'g'));
  const write = (path: string, text: string): void => writeFileSync(join(folder, path), text);
  write(
    'README.md',
    `![a](shown.png) \`secret.png\` [plan](<g/my plan.pdf>) [data](data.csv) ![b](https://x.example/far.png)\n`,
  );
  write(
    'g/page.md',
    '---\nhidden: true\ncover: cover.png\n---\n> * [up](../up.zip)\n\n{% @a/b picture="./block.png" %}\n',
  );
  const ids = { read: () => ({}), write: () => {} };
  const content = openContent({ folder, spaceId: 's', clock: systemClock, ids });
  await content.ready;
  const used = createUsedFiles({
    spaces: () => [{ id: 's', path: '/' } as never],
    content: createSiteContent(() => content, systemClock),
    timers: systemClock,
    fileUrlOf: (_, file) => `http://127.0.0.1:1/${file}`,
    pathOf: ({ pathname }) => decodeURIComponent(pathname),
  });
  for (const path of ['/shown.png', '/g/my plan.pdf', '/up.zip', '/g/block.png', '/g/cover.png', '/data.csv'])
    expect([path, await used.has(path)]).toEqual([path, true]);
  for (const path of ['/secret.png', '/far.png', '/g/up.zip'])
    expect([path, await used.has(path)]).toEqual([path, false]);
  write('README.md', '![a](secret.png)\n');
  await content.look();
  expect([await used.has('/secret.png'), await used.has('/shown.png')]).toEqual([true, false]);
  content.close();
});
