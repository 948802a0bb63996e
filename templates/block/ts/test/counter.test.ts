import { createTestPlatform, type TestPlatform } from 'integration-platform/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import integration from '../src/index';

let platform: TestPlatform;

beforeEach(async () => {
  platform = await createTestPlatform({ integration });
  await platform.install();
});

afterEach(() => platform.close());

test('counts each button press', async () => {
  const block = await platform.render('counter');
  expect(block.text()).toContain('Pressed 0 times');

  await block.press('Count');
  expect(block.text()).toContain('Pressed once');
  expect(block.state).toEqual({ count: 1 });
});

test('starts at the value from the props, and resets to 0', async () => {
  const block = await platform.render('counter', { props: { start: 41 } });
  await block.press('Count');
  expect(block.state).toEqual({ count: 42 });

  await block.press('Reset');
  expect(block.state).toEqual({ count: 0 });
});
