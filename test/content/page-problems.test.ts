import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openContent } from '../../src/content/index.js';
import { findPageProblems, readPageToCheck } from '../../src/content/page/index.js';
import { temporaryFolder } from '../support/temporary-folder.js';

// cspell:ignore strat

test('reports the line of a SUMMARY.md entry whose file is missing, and suggests the next step', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'guides'));
  writeFileSync(join(folder, 'guides/start.md'), '# Start');
  writeFileSync(join(folder, 'latin.md'), Buffer.from([0xe9]));
  const entries = [
    '# Table of contents',
    '* [Start](guides/start.md#first)',
    '  * [Moved](start.md)',
    '* [Typo](guides/strat.md)',
    '* [Gone](<far away.md>)',
    '* [Out](../out.md)',
    '* [Latin](latin.md)',
    '* [Web](https://example.com/a.md)',
  ];
  writeFileSync(join(folder, 'SUMMARY.md'), entries.join('\n'));
  const reported: string[] = [];
  const content = openContent({
    folder,
    spaceId: 'space_local',
    clock: { now: () => 0 },
    ids: { read: () => ({}), write: () => {} },
    onWarning: ({ code, line, column, help = '' }) =>
      code === 'missing-page' && reported.push(`${line}:${column} ${help}`),
  });
  onTestFinished(() => {
    content.close();
  });
  await content.ready;
  expect(reported).toEqual([
    '3:5 Did you mean guides/start.md?',
    '4:3 Did you mean guides/start.md?',
    '5:3 Create far away.md, or remove the entry.',
    '6:3 Create ../out.md, or remove the entry.',
  ]);
  writeFileSync(join(folder, 'start.md'), '# Start');
  await content.look();
  expect(content.warnings().map(({ code, line }) => [code, line])).toEqual([
    ['skipped-file', undefined],
    ['missing-page', 4],
    ['missing-page', 5],
    ['missing-page', 6],
  ]);
  renameSync(join(folder, 'guides/start.md'), join(folder, 'guides/first.md'));
  await content.look();
  expect(reported.slice(4)).toEqual(['2:3 Did you mean start.md?']);
});

test("reports a page's problem once, and again if it recurs after a fix", async () => {
  const folder = temporaryFolder();
  const page = join(folder, 'a.md');
  const broken = '---\ntitle: [a\n---\n';
  writeFileSync(page, broken);
  const reported: string[] = [];
  const content = openContent({
    folder,
    spaceId: 'space_local',
    clock: { now: () => 0 },
    ids: { read: () => ({}), write: () => {} },
    onWarning: ({ file }) => reported.push(file),
  });
  onTestFinished(() => {
    content.close();
  });
  await content.ready;
  await content.look();
  expect(reported).toEqual(['a.md']);
  writeFileSync(page, '# Fine');
  await content.look();
  writeFileSync(page, broken);
  await content.look();
  expect(reported).toEqual(['a.md', 'a.md']);
});

test('finds links to headings that do not exist, on the page and on others', () => {
  const other = readPageToCheck(
    `# Other\n\n## A & b: c\n\n## Own {#here}\n\n### 1. First\n\n## Long <a id="${'long'.repeat(30)}"></a>\n\n<details>\n<summary>More</summary>\n\nx\n</details>`,
  );
  const link = (anchor: string): string[] =>
    findPageProblems('a.md', readPageToCheck(`# Title\n\n[x](${anchor})`), {
      paths: new Map([
        ['a.md', 'a.md'],
        ['b', 'b.md'],
        ['b.md', 'b.md'],
        ['c.md', 'c.md'],
        ['d.png', undefined],
      ]),
      integrations: [{ name: 'hello', blocks: [] }],
      read: (file) => (file === 'b.md' ? other : readPageToCheck('{% include "x.md" %}')),
    }).map(({ code, line, column }) => `${code} ${line}:${column}`);
  for (const fine of [
    '#title',
    '#',
    'b#a-b-c',
    'b.md#a--b-c',
    'b.md#here',
    'b.md#more',
    'b.md#id-1.-first',
    `b.md#${'long'.repeat(30)}`,
    'c.md#anything',
    'd.png#x',
    'b.md#',
  ])
    expect([fine, link(fine)]).toEqual([fine, []]);
  for (const wrong of ['#nowhere', 'b.md#nowhere', 'b#title'])
    expect([wrong, link(wrong)]).toEqual([wrong, ['broken-anchor 3:5']]);
});
