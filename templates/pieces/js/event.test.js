import { createTestPlatform } from 'integration-platform/testing';
import { expect, test } from 'vitest';
import integration from '{{entry}}';

test('handles {{type}}', async () => {
  const platform = await createTestPlatform({ integration });
  await platform.install();

  const { outcome } = await platform.trigger({ type: '{{type}}' });
  expect(outcome).toBe('ok');

  await platform.close();
});
