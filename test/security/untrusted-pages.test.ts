import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startDevPlatform, type DevPlatform } from '../support/dev-platform.js';

/** Names with special meaning in a call, and names that could change the prototype of objects. */
const forged =
  '{% @harbor-status/poll state={"votes":9} action={"action":"vote"} context={"type":"forged"} component="incident" spaceId="space_other" integration="other" __proto__={"forged":true} constructor={"prototype":{"forged":true}} %}';
const unsafeUrls = [
  'javascript:alert(1)',
  'JaVaScRiPt://example.com/%0a;alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'file:///etc/passwd',
  'vbscript:alert(1)',
  'blob:http://127.0.0.1/1',
  'ftp://example.com/',
  '//example.com/',
];

let platform: DevPlatform;
beforeAll(async () => {
  platform = await startDevPlatform(
    'console',
    ['--state', 'memory', '--content', 'pages'],
    async (folder) => {
      const pages = join(folder, 'pages');
      mkdirSync(pages);
      const poll = '{% @harbor-status/poll %}\n';
      writeFileSync(join(pages, 'README.md'), `# Start\n\n${poll}`);
      writeFileSync(join(pages, 'many.md'), `# Many\n\n${`${poll}\n`.repeat(200)}`);
      writeFileSync(join(pages, 'forged.md'), `# Forged\n\n${forged}\n`);
      writeFileSync(
        join(pages, 'embeds.md'),
        `# Embeds\n\n${unsafeUrls.map((url) => `{% embed url=${JSON.stringify(url)} %}\n`).join('\n')}`,
      );
    },
  );
  await fetch(platform.endpoint);
}, 60_000);
afterAll(() => platform.close());

interface Rendered {
  event: { componentId: string; props: object; state?: object; action?: object; context: { type: string } };
}
const renders = (): Promise<{ id: string }[]> => platform.api('GET', '/calls?type=ui_render&limit=200');
const calls = (type: string): Promise<unknown[]> => platform.api('GET', `/calls?type=${type}`);
const open = async (path: string): Promise<string> => (await fetch(`${platform.siteOrigin}${path}`)).text();

test("calls the script for a page's blocks only when the page is opened", async () => {
  const { pages } = await platform.api<{ pages: { id: string; path: string }[] }>(
    'GET',
    '/content?space=space_local',
  );
  await platform.api('GET', `/content/page?space=space_local&page=${pages[0]?.id}`);
  expect(await open('/~/search.json?words=many')).toContain('Many');
  platform.edit('pages/many.md', (text) => `${text}\nChanged.\n`);
  await vi.waitFor(async () => expect(await calls('space_content_updated')).toHaveLength(1), 10_000);
  await platform.api('POST', '/content/sync', { space: 'space_local' });
  await vi.waitFor(async () => expect(await calls('space_gitsync_completed')).toHaveLength(1), 10_000);
  expect(await renders()).toEqual([]);
  await open('/');
  expect(await renders()).toHaveLength(1);
});

test('calls the script only 50 times for a page with 200 blocks', async () => {
  const before = (await renders()).length;
  const html = await open('/many');
  await vi.waitFor(async () => expect((await renders()).length - before).toBe(50), 20_000);
  expect(html.match(/a page shows at most 50 blocks/g)).toHaveLength(150);
  console.log('untrusted pages: 200 blocks on a page, 50 calls');
});

test('prevents the properties of a tag from replacing other parts of the call', async () => {
  const known = new Set((await renders()).map(({ id }) => id));
  await open('/forged');
  const [call] = (await renders()).filter(({ id }) => !known.has(id));
  const { event } = await platform.api<Rendered>('GET', `/calls/${call?.id}`);
  expect(event).toMatchObject({ componentId: 'poll', context: { type: 'document', spaceId: 'space_local' } });
  expect(event.state).toBeUndefined();
  expect(event.action).toBeUndefined();
  expect(event.props).toMatchObject({ component: 'incident', state: { votes: 9 } });
  expect(JSON.stringify({ ...event, props: {} })).not.toMatch(/forged|space_other|votes/);
  expect(Object.getPrototypeOf(event.props)).toBe(Object.prototype);
});

test('does not link to an embed whose URL is not http or https', async () => {
  const html = await open('/embeds');
  expect(html.match(/An embed needs a url that begins with http/g)).toHaveLength(unsafeUrls.length);
  expect(/<div class="prose">(.*?)<\/div>/.exec(html)?.[1]).not.toMatch(/<a|href|src/i);
  console.log(`untrusted pages: 0 of ${unsafeUrls.length} unsafe URLs in embeds became links`);
});
