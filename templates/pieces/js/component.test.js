import { createTestPlatform } from 'integration-platform/testing';
import { expect, test } from 'vitest';
import integration from '{{entry}}';

test('{{id}} shows that its button was pressed', async () => {
  const platform = await createTestPlatform({ integration });
  await platform.install();

  const block = await platform.render('{{id}}');
  await block.press('Press');
  expect(block.text()).toContain('Pressed');

  await platform.close();
});
