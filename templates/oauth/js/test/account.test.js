import { createTestPlatform } from 'integration-platform/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import integration from '../src/index';
import { provider } from '../src/provider';

/** @type {import('integration-platform/testing').TestPlatform} */
let platform;

beforeEach(async () => {
  platform = await createTestPlatform({
    integration,
    secrets: { CLIENT_ID: 'client', CLIENT_SECRET: 'secret' },
  });
  await platform.install();
});

afterEach(() => platform.close());

test('an account is connected and called', async () => {
  platform.stub(provider.profileURL, () => Response.json({ name: 'Ada' }));
  expect(platform.environment().installation?.status).toBe('pending');

  const page = await platform.oauth({ path: '/oauth', outcome: 'approve' });
  expect(page.status).toBe(200);
  expect(platform.environment().installation?.status).toBe('active');

  const response = await platform.fetch('/profile');
  expect(await response.json()).toEqual({ profile: { name: 'Ada' } });
});

test('an account that is refused is not connected', async () => {
  const page = await platform.oauth({ path: '/oauth', outcome: 'deny' });
  expect(page.status).toBe(400);
  expect(platform.environment().installation?.status).toBe('pending');
});

test('without an account there is no profile', async () => {
  const response = await platform.fetch('/profile');
  expect(response.status).toBe(409);
  expect(await response.json()).toEqual({ error: 'Connect an account first.' });
});

test('a provider that is down is said so', async () => {
  platform.stub(provider.profileURL, () => new Response('', { status: 503 }));
  await platform.oauth({ path: '/oauth', outcome: 'approve' });
  expect((await platform.fetch('/profile')).status).toBe(502);
});

test('other addresses are not found', async () => {
  expect((await platform.fetch('/elsewhere')).status).toBe(404);
});
