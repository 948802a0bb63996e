import { createTestPlatform, type TestPlatform } from 'integration-platform/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import integration from '../src/index';

let platform: TestPlatform;

beforeEach(async () => {
  platform = await createTestPlatform({ integration });
  await platform.install();
});

afterEach(() => platform.close());

test('the public endpoint greets', async () => {
  const response = await platform.fetch('/');
  expect(await response.json()).toEqual({ hello: platform.integration.title });
});

test('an installation is logged', () => {
  expect(platform.logs().map(({ text }) => text)).toContain('[{{name}}] The installation is active');
});
