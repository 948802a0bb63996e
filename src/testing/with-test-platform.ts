import { print } from './close-platform.js';
import { createTestPlatform } from './create-test-platform.js';
import type { TestPlatform, TestPlatformOptions } from './test-platform.js';

/**
 * A platform for one test: it is closed when the test ends, and what the script has logged is printed if the
 * test fails. It works in every runner.
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
    // What the test found comes first; what close() adds is often its cause.
    await platform.close({ passed: false }).catch((more: unknown) => print(String(more)));
    throw error;
  }
  await platform.close({ passed: true });
  return result;
}
