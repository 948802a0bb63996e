import { expect, test } from 'vitest';
import { ruleRegistry } from '../../../src/cli/context/rule-registry.js';
import { runCli } from '../../support/run-cli.js';

test('platform rules lists every rule without wrapping lines', async () => {
  const { code, stdout, stderr } = await runCli(['rules'], { columns: 80 });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^manifest\/unknown-category +warning +\S/m);
  expect(stdout).toMatch(/^bundle\/unresolved-import +error +\S/m);
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(stdout.match(/^\w+\/\S+/gm)).toEqual(ruleRegistry.map((rule) => rule.code));
  expect(stderr).toContain(`${ruleRegistry.length} rules`);
});

test('platform rules --json prints every rule', async () => {
  const { stdout } = await runCli(['rules', '--json']);
  const { version, rules } = JSON.parse(stdout) as { version: number; rules: unknown[] };
  expect(version).toBe(1);
  expect(rules).toContainEqual({
    code: 'manifest/unknown-category',
    severity: 'warning',
    summary: expect.stringMatching(/\.$/),
  });
});

test('every rule has a unique code in the format area/kebab-case and a one-sentence description', () => {
  const codes = ruleRegistry.map(({ code }) => code);
  expect(new Set(codes).size).toBe(codes.length);
  for (const { code, summary } of ruleRegistry) {
    expect(code).toMatch(/^[a-z]+\/[a-z]+(-[a-z]+)*$/);
    expect(summary, code).toMatch(/^\S.*\.$/);
  }
});

test('prints a schema file unchanged', async () => {
  const { stdout } = await runCli(['schema', 'manifest']);
  const json = await runCli(['schema', 'manifest', '--json']);
  const schema: unknown = JSON.parse(stdout);
  expect(schema).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema' });
  expect(JSON.parse(json.stdout)).toEqual({ version: 1, name: 'manifest', schema });
});

test.each(['manifest', 'events', 'webhook-payloads', 'dev'])('prints the schema for %s', async (name) => {
  expect((await runCli(['schema', name])).code).toBe(0);
});
