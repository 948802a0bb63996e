import { createTestPlatform } from 'integration-platform/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import integration from '../src/index';

/** @type {import('integration-platform/testing').TestPlatform} */
let platform;

beforeEach(async () => {
  platform = await createTestPlatform({ integration });
  await platform.install();
});

afterEach(() => platform.close());

test('responds with a greeting', async () => {
  const response = await platform.fetch('/');
  expect(await response.json()).toEqual({ hello: platform.integration.title });
});

test('logs an installation', () => {
  expect(platform.logs().map(({ text }) => text)).toContain('[{{name}}] The installation is pending');
});
