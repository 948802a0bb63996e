import { writeFileSync } from 'node:fs';
import { createFixture } from 'fs-fixture';
import { afterEach, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.js';
import { openContent, type Content } from '../../src/content/index.js';
import { createPageSearch } from '../../src/site/server/search-pages.js';
import { createSiteContent, type SiteContent } from '../../src/site/site-content.js';

const space = { id: 's', title: 'Docs', path: '/' };

const open: Content[] = [];
afterEach(() => open.splice(0).forEach((content) => content.close()));

async function mount(folder: string): Promise<{ content: Content; site: SiteContent }> {
  const ids = { read: () => ({}), write: () => {} };
  const content = openContent({ folder, spaceId: 's', clock: systemClock, ids });
  open.push(content);
  await content.ready;
  return { content, site: createSiteContent(() => content, systemClock) };
}

const search = (content: SiteContent, timers = systemClock) =>
  createPageSearch({ spaces: () => [space], content, timers });

const pages = (count: number): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, nth) => [`p${nth}.md`, `# Page ${nth}\n\n## Part ${nth}\n`]),
  );

it('pauses a search after each time slice so that other work can run', async () => {
  await using files = await createFixture(pages(40));
  const { site } = await mount(files.path);
  let time = 0;
  let read = 0;
  const timers = { ...systemClock, monotonic: () => (time += 2) };
  const content = { ...site, headingLines: () => ((read += 1), '') };
  const seen: number[] = [];
  const look = (): void => {
    seen.push(read);
    if (read < 40) setImmediate(look);
  };
  setImmediate(look);
  await search(content, timers).find('nothing');
  // Two pages of 2 ms are one slice.
  expect(seen.length).toBeGreaterThanOrEqual(19);
  for (const [nth, count] of seen.entries()) expect(count - (seen[nth - 1] ?? 0)).toBeLessThanOrEqual(2);
});

it('parses only pages with a line that looks like a matching heading', async () => {
  await using files = await createFixture({ ...pages(20), 'code.md': '# Code\n\n```sh\n# part 7\n```\n' });
  const { content: folder, site } = await mount(files.path);
  const parsed: string[] = [];
  const content = { ...site, parse: (id: string, page: string) => (parsed.push(page), site.parse(id, page)) };
  const found = { href: '/p7#h-part-7', page: 'Page 7', section: 'Part 7' };
  expect(await search(content).find('part 7')).toContainEqual(found);
  expect(parsed.length).toBe(3);
  writeFileSync(`${files.path}/p1.md`, '# Page 1\n\n## A "new" part\n');
  await folder.look();
  expect(await search(content).find('NEW')).toEqual([
    { href: '/p1#h-a-new-part', page: 'Page 1', section: 'A "new" part' },
  ]);
});

it('lists titles before headings, and at most 12 results in total', async () => {
  await using files = await createFixture({ ...pages(20), 'last.md': '# Z\n\n## Page about pages\n' });
  const { site } = await mount(files.path);
  const hits = await search(site).find('page 1');
  expect(hits.length).toBe(11);
  expect(hits[0]).toEqual({ href: '/p1', page: 'Page 1' });
  expect(await search(site).find('about page')).toEqual([
    { href: '/last#h-page-about-pages', page: 'Z', section: 'Page about pages' },
  ]);
  expect((await search(site).find('')).length).toBe(12);
});

it.each([
  ['## Plain #', 'Plain', 'h-plain'],
  ['Underlined **words**\n---', 'Underlined words', 'h-underlined-words'],
  ['1.2.0 / 2016-01-24\n===', '1.2.0 / 2016-01-24', 'h-1-2-0-2016-01-24'],
  ['> ## In a quote', 'In a quote', 'h-in-a-quote'],
  ['1. ## In a list', 'In a list', 'h-in-a-list'],
  ['- ```sh\n  # no\n  ```\n\n## After [a link](x.md)', 'After a link', 'h-after-a-link'],
  ['````\n```\n# no\n````\n## After a fence', 'After a fence', 'h-after-a-fence'],
  ['## `space_view` and _more_', 'space_view and more', 'h-space_view-and-more'],
])('finds the heading in %j', async (text, heading, id) => {
  await using files = await createFixture({ 'page.md': `---\ntitle: Page\n---\n\n${text}\n` });
  const { site } = await mount(files.path);
  expect(await search(site).find(heading)).toEqual([{ href: `/page#${id}`, page: 'Page', section: heading }]);
  expect((await search(site).find('no')).filter(({ href }) => href.includes('#h-'))).toEqual([]);
});

it('finds words of the text in any order and by their beginning, with the line around them', async () => {
  await using files = await createFixture({
    ...pages(3),
    'a.md':
      '---\ntitle: First\ndescription: About it\n---\n\n# Head\n\nOne `thing` with [a link](far.md).\n\nThe **webhook** was\nreceived {% kbd %} twice.\n',
    'b.md': `# Second\n\n${'Long text. '.repeat(40)}The secret of C++ is here. ${'More text. '.repeat(40)}\n`,
  });
  const { site } = await mount(files.path);
  expect(await search(site).find('receiv webho')).toEqual([
    {
      href: '/a#h-head:~:text=receiv',
      page: 'First',
      section: 'Head',
      text: 'The webhook was received {% kbd %} twice.',
    },
  ]);
  expect(await search(site).find('ebhook')).toEqual([]);
  expect(await search(site).find('LINK thing')).toMatchObject([{ text: 'One thing with a link.' }]);
  const [hit] = await search(site).find('c++');
  expect(hit?.text).toMatch(/^….{20,60}secret of C\+\+ is here\. More.*…$/);
  const cancelled = AbortSignal.abort();
  expect(await search(site).find('webhook', cancelled)).toEqual([]);
});

it('groups the results by page, with the text below a heading and the folders of the page', async () => {
  await using files = await createFixture({
    'SUMMARY.md': '* [Second](z.md)\n* [Guides](guides/README.md)\n  * [About tokens](guides/a.md)\n',
    'z.md': '# Second\n\n## Token\n\n### Other\n\n1. Last words.\n',
    'guides/README.md': '# Guides\n\n{% content-ref url="token.md" %}\n',
    'guides/a.md': '# About tokens\n\nFirst *line*.\n\n## A token\n\n- In a `list`.\n',
  });
  const { site } = await mount(files.path);
  const about = { page: 'About tokens', above: 'Guides' };
  expect(await search(site).find('token')).toEqual([
    { href: '/guides/a', ...about, text: 'First line.' },
    { href: '/guides/a#h-a-token', ...about, section: 'A token', text: 'In a list.' },
    { href: '/z#h-token', page: 'Second', section: 'Token' },
  ]);
  expect(await search(site).find('last')).toMatchObject([
    { within: 'Token', section: 'Other', text: 'Last words.' },
  ]);
});

it('finds nothing in front matter and comments, which the page does not show', async () => {
  await using files = await createFixture({
    'a.md':
      '---\nowner: jane\n---\n\n# A\n\nShown <!-- one --> here.\n\n<!--\ntwo\n-->\n\nAlso shown. <!-- open\n',
    'b.md': '---\n---\n\nFirst.\n\n---\n\nLast.\n',
  });
  const { site } = await mount(files.path);
  for (const word of ['jane', 'one', 'two']) expect(await search(site).find(word)).toEqual([]);
  expect(await search(site).find('here')).toMatchObject([{ text: 'Shown here.' }]);
  for (const word of ['also', 'open', 'first', 'last']) expect(await search(site).find(word)).toHaveLength(1);
});

it.each([
  ['table', '| Code | Meaning |\n| :--- | ---: |\n| **429** | Too many `calls` |\n', '429 · Too many calls'],
  ['task', '- [ ] Send [429](x.md) again\n', 'Send 429 again'],
  ['alert', '> [!NOTE]\n> _429_ is \\_temporary\\_ &amp; harmless\n', '429 is _temporary_ & harmless'],
  ['tab', '{% tabs %}\n{% tab title="429" %}\nWait.\n{% endtab %}\n{% endtabs %}\n', '429'],
  [
    'cards',
    '<table data-view="cards"><thead><tr><th></th><th></th><th data-hidden></th></tr></thead><tbody><tr><td><strong>429</strong></td><td>Wait</td><td>x</td></tr></tbody></table>\n',
    '429 · Wait',
  ],
  ['code', '```sh\nif [ $code = 429 ]\nthen sleep 1\n```\n', 'if [ $code = 429 ] then sleep 1'],
])('shows no markup of a %s around the words', async (_, text, shown) => {
  await using files = await createFixture({ 'a.md': `# A\n\n${text}` });
  const { site } = await mount(files.path);
  expect(await search(site).find('429')).toMatchObject([{ text: shown }]);
});

it('finds similar titles if no page contains the words', async () => {
  await using files = await createFixture({ ...pages(40), 'i.md': '# Installation guide\n\nRun it.\n' });
  const { site } = await mount(files.path);
  const similar = { href: '/i', page: 'Installation guide', text: 'Run it.', kind: 'similar' };
  for (const typed of ['instalation', 'guied installation'])
    expect(await search(site).find(typed)).toEqual([similar]);
  expect(await search(site).find('zzz')).toEqual([]);
});

it('lists recent pages first, with their current titles, if they still exist', async () => {
  await using files = await createFixture(pages(3));
  const { content, site } = await mount(files.path);
  writeFileSync(`${files.path}/p2.md`, '# New title\n');
  await content.look();
  const hits = await search(site).find('', undefined, ['/p2', '/gone', '/p1']);
  expect(hits.map(({ page, kind }) => [page, kind])).toEqual([
    ['New title', 'recent'],
    ['Page 1', 'recent'],
    ['Page 0', undefined],
  ]);
});

it("lists a revision's pages only once", async () => {
  await using files = await createFixture(pages(3));
  const { content, site } = await mount(files.path);
  const before = site.documents('s');
  expect(site.documents('s')).toBe(before);
  writeFileSync(`${files.path}/p3.md`, '# Page 3\n');
  await content.look();
  expect(site.documents('s').map(({ title }) => title)).toEqual(['Page 0', 'Page 1', 'Page 2', 'Page 3']);
});
