import { createTestPlatform, type TestPlatform } from 'integration-platform/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import integration from '../src/index';

const url = 'https://chat.example/hook';
let platform: TestPlatform;

beforeEach(async () => {
  platform = await createTestPlatform({ integration });
});

afterEach(() => platform.close());

test('sends a message to the configured URL when the content changes', async () => {
  const bodies: unknown[] = [];
  platform.stub(url, async (request) => {
    bodies.push(await request.json());
    return new Response('ok');
  });
  await platform.install({ configuration: { notify_url: url } });

  const { outcome } = await platform.trigger({ type: 'space_content_updated', revisionId: 'revision-7' });
  expect(outcome).toBe('ok');
  expect(bodies).toEqual([{ text: expect.stringContaining('has changed.'), revision: 'revision-7' }]);
});

test('sends nothing if no URL is configured', async () => {
  await platform.install();
  const { outcome } = await platform.trigger({ type: 'space_content_updated' });
  expect(outcome).toBe('ok');
  expect(platform.outbound()).toEqual([]);
});

test('fails if the URL responds with an error', async () => {
  platform.stub(url, () => new Response('', { status: 500 }));
  await platform.install({ configuration: { notify_url: url } });
  const { outcome } = await platform.trigger({ type: 'space_content_updated' });
  expect(outcome).toBe('failed');
});

test('logs only the path of a viewed page', async () => {
  await platform.install();
  await platform.trigger({ type: 'space_view', url: 'https://docs.example.com/setup?ref=mail' });
  expect(platform.logs().map(({ text }) => text)).toEqual(['[views] /setup was viewed']);
});
