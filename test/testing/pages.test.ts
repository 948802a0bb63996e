import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestPlatform, type TestPlatform } from 'integration-platform/testing';
import { expect, onTestFinished, test } from 'vitest';
import { formText } from './form-platform.js';
import { integration } from './integration.js';
import { sharedFolder, temporaryFolder } from '../support/temporary-folder.js';

const folder = sharedFolder();
const manifest = join(folder, 'platform-manifest.yaml');
writeFileSync(
  manifest,
  formText('blocks:\n  - { id: form, title: Form, markdown: { codeblock: form, body: name } }\n'),
);

const guide = `# Guide

Read **this** first.

- one
- two

{% @form/form name="Ada" %}

\`\`\`form
Grace
\`\`\`
`;

async function open(content: Record<string, string> | string = { 'guide.md': guide }): Promise<TestPlatform> {
  const platform = await createTestPlatform({ integration, manifest, content });
  onTestFinished(() => platform.close());
  await platform.install();
  return platform;
}

const eventsOf = (platform: TestPlatform): string[] =>
  platform
    .calls()
    .map(({ type }) => type)
    .filter((type) => !type.endsWith('_setup') && type !== 'ui_render');

test('returns the text that readers see on a page', async () => {
  const page = (await open()).page('guide');
  expect(page.title).toBe('Guide');
  expect(page.text()).toBe('Guide\nRead this first.\none\ntwo\nGrace');
});

test('passes properties to a block from a tag or a code fence in the page', async () => {
  const page = (await open()).page('guide');
  const block = await page.block();
  expect(block.state).toMatchObject({ name: 'Ada' });
  await block.press('Ask again');
  expect(block.text()).toContain('Asked 1 time');
  expect((await page.block(1)).state).toMatchObject({ name: 'Grace' });
  await expect(page.block(2)).rejects.toThrow(
    'The page "guide" has no block 2 of the integration. It has 2.',
  );
});

test('sends the events for a view and a rating to the script and to webhooks', async () => {
  const platform = await open();
  const url = 'https://receiver.example/hook';
  const sent: unknown[] = [];
  platform.stub(url, async (request) => (sent.push(await request.json()), new Response('ok')));
  await platform.webhook({ url, events: ['site_view', 'page_feedback'], site: 'site_local' });
  const page = platform.page('guide');
  await page.view({ anonymousId: 'reader-1', cookies: { plan: 'pro' } });
  await page.rate('bad', 'Too short.');
  expect(eventsOf(platform).sort()).toEqual(['page_feedback', 'site_view', 'space_view']);
  expect(sent).toMatchObject([
    { type: 'site_view', visitor: { anonymousId: 'reader-1', cookies: { plan: 'pro' } } },
    { type: 'page_feedback', pageId: page.id, feedback: { rating: 'bad', comment: 'Too short.' } },
  ]);
});

test('changes or creates a page with write(), and sends an event each time', async () => {
  const platform = await open();
  await platform.page('guide').write('# New');
  expect(platform.page('guide').text()).toBe('New');
  const created = platform.page('deep/er');
  expect(() => created.text()).toThrow('Unknown page: "deep/er". Available pages: "guide".');
  await created.write('# Deeper');
  expect(created.text()).toBe('Deeper');
  expect(eventsOf(platform)).toEqual(['space_content_updated', 'space_content_updated']);
});

test('copies the folder of pages, so that the test does not change the original', async () => {
  const given = temporaryFolder();
  writeFileSync(join(given, 'guide.md'), guide);
  const platform = await open(given);
  await platform.page('guide').write('# New');
  expect(platform.page('guide').text()).toBe('New');
  expect(readFileSync(join(given, 'guide.md'), 'utf8')).toBe(guide);
});

test('removes the copied pages when the platform closes', async () => {
  const platform = await open({ 'guide.md': guide, '../escaped.md': 'x' }).catch((error: Error) => error);
  expect(platform).toMatchObject({ message: '../escaped.md is outside the folder of the pages.' });
  expect(existsSync(join(tmpdir(), 'escaped.md'))).toBe(false);
});

test('throws an error when a page is opened on a platform without content', async () => {
  const platform = await createTestPlatform({ integration, manifest });
  onTestFinished(() => platform.close());
  expect(() => platform.page('guide')).toThrow(
    'This platform has no pages. Pass `content` to createTestPlatform().',
  );
});
