import { expect, it } from 'vitest';
import { includeFiles, linesOf, parsePage, readPageToCheck } from '../../src/content/page/index.js';
import { blocksOnPage } from '../../src/protocol/page/page-blocks.js';

const files: Record<string, string> = {
  'parts/a.md': '## From a\n\n> {% include "b c.md" %}\n\n{% @hello/counter %}\n',
  'parts/b c.md': '- {% @hello/counter start=2 %}\n\n  {% include "../parts/a.md" %}\n',
  'wide.md': '{% include "long.md" %}\n\n'.repeat(5),
  'own.md': '## From own',
  'long.md': 'x'.repeat(400_000),
};
const include = (text: string): ReturnType<typeof includeFiles> =>
  includeFiles(parsePage(text), 'guide/page.md', (file) => files[file]);
const problemsIn = (text: string): string[] =>
  [...JSON.stringify(include(text).blocks).matchAll(/"problem":"([^"]*)"/g)].map(([, found = '']) => found);

it('adds the content of other files, and keeps which file a block comes from', () => {
  const page = '# Page\n\n{% include "../parts/a.md" %}\n\n{% @hello/counter start=3 %}';
  const tree = include(page);
  const integrations = [{ name: 'hello', blocks: [{ id: 'counter', title: 'Counter', urlUnfurl: [] }] }];
  expect(blocksOnPage(tree, integrations).map(({ file, props }) => [file, props])).toEqual([
    ['parts/b c.md', { start: 2 }],
    ['parts/a.md', {}],
    [undefined, { start: 3 }],
  ]);
  expect(linesOf(tree.blocks)).toContain('From a');
  const other = '{% include "/own.md" %}';
  expect([...(readPageToCheck(other, parsePage(other), include(other)).anchors ?? [])]).toContain(
    'h-from-own',
  );
  // The tree of the page itself stays the same, because other pages may use it.
  expect(linesOf(parsePage(page).blocks)).not.toContain('From a');
});

it.each([
  ['{% include "nowhere.md" %}', ['This file is missing.']],
  ['{% include "../../out.md" %}', ['This file is missing.']],
  ['{% include "https://example.com/a.md" %}', ['This file is missing.']],
  ['{% include "/parts/a.md" %}', ['This file includes itself.']],
  ['{% include "/wide.md" %}', Array(2).fill('This page includes too much text.')],
])('explains why %s is not included', (text, problems) => {
  expect(problemsIn(text)).toEqual(problems);
});
