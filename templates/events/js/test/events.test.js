import { createTestPlatform } from 'integration-platform/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import integration from '../src/index';

const address = 'https://chat.example/hook';
/** @type {import('integration-platform/testing').TestPlatform} */
let platform;

beforeEach(async () => {
  platform = await createTestPlatform({ integration });
});

afterEach(() => platform.close());

test('a content update is told to the address in the settings', async () => {
  /** @type {unknown[]} */
  const bodies = [];
  platform.stub(address, async (request) => {
    bodies.push(await request.json());
    return new Response('ok');
  });
  await platform.install({ configuration: { notify_url: address } });

  const { outcome } = await platform.trigger({ type: 'space_content_updated', revisionId: 'revision-7' });
  expect(outcome).toBe('ok');
  expect(bodies).toEqual([{ text: expect.stringContaining('has changed.'), revision: 'revision-7' }]);
});

test('without an address nothing is told', async () => {
  await platform.install();
  const { outcome } = await platform.trigger({ type: 'space_content_updated' });
  expect(outcome).toBe('ok');
  expect(platform.outbound()).toEqual([]);
});

test('an address that refuses makes the event fail', async () => {
  platform.stub(address, () => new Response('', { status: 500 }));
  await platform.install({ configuration: { notify_url: address } });
  const { outcome } = await platform.trigger({ type: 'space_content_updated' });
  expect(outcome).toBe('failed');
});

test('a view is logged by its path alone', async () => {
  await platform.install();
  await platform.trigger({ type: 'space_view', url: 'https://docs.example.com/setup?ref=mail' });
  expect(platform.logs().map(({ text }) => text)).toEqual(['[views] /setup was read']);
});
