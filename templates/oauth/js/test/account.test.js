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

test('connects an account and calls the provider', async () => {
  platform.stub(provider.profileURL, () => Response.json({ name: 'Ada' }));
  expect(platform.environment().installation?.status).toBe('pending');

  const page = await platform.oauth({ path: '/oauth', outcome: 'approve' });
  expect(page.status).toBe(200);
  expect(platform.environment().installation?.status).toBe('active');

  const response = await platform.fetch('/profile');
  expect(await response.json()).toEqual({ profile: { name: 'Ada' } });
});

test('stays disconnected if the user denies access', async () => {
  const page = await platform.oauth({ path: '/oauth', outcome: 'deny' });
  expect(page.status).toBe(400);
  expect(platform.environment().installation?.status).toBe('pending');
});

test('returns no profile without a connected account', async () => {
  const response = await platform.fetch('/profile');
  expect(response.status).toBe(409);
  expect(await response.json()).toEqual({ error: 'Connect an account first.' });
});

test('asks to connect again after access was revoked', async () => {
  const token = { access_token: 'first', refresh_token: 'refresh', expires_in: 1 };
  await platform.oauth({ path: '/oauth', token });
  const revoked = Response.json({ error: 'invalid_grant' }, { status: 400 });
  platform.stub(provider.accessTokenURL, () => revoked);

  const response = await platform.fetch('/profile');
  expect(response.status).toBe(409);
  expect(await response.json()).toEqual({ error: 'Connect the account again.' });
});

test('reports that the provider is down', async () => {
  platform.stub(provider.profileURL, () => new Response('', { status: 503 }));
  await platform.oauth({ path: '/oauth', outcome: 'approve' });
  expect((await platform.fetch('/profile')).status).toBe(502);
});

test('responds with 404 to other paths', async () => {
  expect((await platform.fetch('/elsewhere')).status).toBe(404);
});
