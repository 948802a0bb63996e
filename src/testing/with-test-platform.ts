import { print } from './close-platform.js';
import { createTestPlatform } from './create-test-platform.js';
import type { TestPlatform, TestPlatformOptions } from './test-platform.js';

/**
 * Runs a test with a platform, and closes the platform when the test ends. If the test fails, it prints the
 * script's logs. Works in every test runner.
 *
 * @example
 * ```ts
 * import { withTestPlatform } from 'integration-platform/testing';
 * import integration from '../src/index';
 *
 * test('a press counts', () =>
 *   withTestPlatform({ integration }, async (platform) => {
 *     await platform.install();
 *     const block = await platform.render('counter');
 *     await block.press('Count');
 *     expect(block.text()).toContain('Pressed once');
 *   }));
 * ```
 */
export async function withTestPlatform<T>(
  options: TestPlatformOptions,
  run: (platform: TestPlatform) => Promise<T> | T,
): Promise<T> {
  const platform = await createTestPlatform(options);
  let result: T;
  try {
    result = await run(platform);
  } catch (error) {
    // The test's own error comes first. Problems found by close() often explain that error.
    await platform.close({ passed: false }).catch((more: unknown) => print(String(more)));
    throw error;
  }
  await platform.close({ passed: true });
  return result;
}
