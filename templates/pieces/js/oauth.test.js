import { createTestPlatform } from 'integration-platform/testing';
import { expect, test } from 'vitest';
import integration from '{{entry}}';

test('connects an account', async () => {
  const platform = await createTestPlatform({
    integration,
    secrets: { CLIENT_ID: 'client', CLIENT_SECRET: 'secret' },
  });
  await platform.install();

  const page = await platform.oauth({ path: '/oauth', outcome: 'approve' });
  expect(page.status).toBe(200);
  expect(platform.environment().installation?.configuration).toHaveProperty('oauth_credentials');

  await platform.close();
});
