import { writeFileSync } from 'node:fs';
import { createFixture } from 'fs-fixture';
import { afterEach, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.js';
import { openContent, type Content } from '../../src/content/index.js';
import { createSearchIndex } from '../../src/site/server/search-index.js';
import { createSiteContent, type SiteContent } from '../../src/site/site-content.js';

const space = { id: 's', title: 'Docs', path: '/' };

const open: Content[] = [];
afterEach(() => open.splice(0).forEach((content) => content.close()));

async function mount(folder: string): Promise<{ content: Content; site: SiteContent }> {
  const ids = { read: () => ({}), write: () => {} };
  const content = openContent({ folder, spaceId: 's', clock: systemClock, ids });
  open.push(content);
  await content.ready;
  return { content, site: createSiteContent(() => content) };
}

const pages = (count: number): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, nth) => [`p${nth}.md`, `# Page ${nth}\n\n## Part ${nth}\n`]),
  );

it('yields to other work after each slice', async () => {
  await using files = await createFixture(pages(40));
  const { site } = await mount(files.path);
  let time = 0;
  const timers = { monotonic: () => (time += 2) };
  let parsed = 0;
  const content = {
    documents: site.documents,
    headings: (...page: [string, string]) => ((parsed += 1), site.headings(...page)),
  };
  const index = createSearchIndex({ spaces: () => [space], content, timers });
  const seen: number[] = [];
  const look = (): void => {
    seen.push(parsed);
    if (parsed < 40) setImmediate(look);
  };
  setImmediate(look);
  await index.read();
  // Two pages of 2 ms are one slice.
  expect(seen.length).toBeGreaterThanOrEqual(19);
  for (const [nth, count] of seen.entries()) expect(count - (seen[nth - 1] ?? 0)).toBeLessThanOrEqual(2);
});

it('parses a page once for simultaneous searches, and again only after a change', async () => {
  await using files = await createFixture(pages(3));
  const { content: folder, site } = await mount(files.path);
  const parsed: string[] = [];
  const content = {
    documents: site.documents,
    headings: (id: string, page: string) => (parsed.push(page), site.headings(id, page)),
  };
  const index = createSearchIndex({ spaces: () => [space], content, timers: systemClock });
  const [first, second] = await Promise.all([index.read(), index.read()]);
  expect(parsed.length).toBe(3);
  expect(second).toBe(first);
  expect(JSON.parse(first)).toContainEqual({
    title: 'Page 1',
    path: '/p1',
    headings: [{ id: 'h-part-1', text: 'Part 1' }],
  });
  writeFileSync(`${files.path}/p1.md`, '# Page 1\n\n## A "new" part\n');
  await folder.look();
  expect(JSON.parse(await index.read())).toContainEqual({
    title: 'Page 1',
    path: '/p1',
    headings: [{ id: 'h-a-new-part', text: 'A "new" part' }],
  });
  expect(parsed.length).toBe(4);
});

it('lists the pages of a revision once', async () => {
  await using files = await createFixture(pages(3));
  const { content, site } = await mount(files.path);
  const before = site.documents('s');
  expect(site.documents('s')).toBe(before);
  writeFileSync(`${files.path}/p3.md`, '# Page 3\n');
  await content.look();
  expect(site.documents('s').map(({ title }) => title)).toEqual(['Page 0', 'Page 1', 'Page 2', 'Page 3']);
});
