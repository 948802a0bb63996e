import { expect, test } from 'vitest';
import { docsFolder } from '../../../src/base/package-files.js';
import { readPage } from '../../../src/diagnostics/read-page.js';
import { runCli } from '../../support/run-cli.js';

const page = readPage('bundle/missing-entry', docsFolder);

test('prints the rule page unmodified to a pipe', async () => {
  expect(await runCli(['explain', 'bundle/missing-entry'])).toMatchObject({ code: 0, stdout: page });
});

test('formats the rule page in a terminal', async () => {
  const { stdout } = await runCli(['explain', 'bundle/missing-entry', '--no-color'], { terminal: true });
  expect(stdout).toMatch(/^bundle\/missing-entry\n\n/);
  expect(stdout).not.toContain('```');
  const plain = await runCli(['explain', 'bundle/missing-entry'], { terminal: true });
  expect(plain.stdout).toContain('\u001B[1mbundle/missing-entry\u001B[22m');
});

test('accepts the last part of a rule code, and prints JSON', async () => {
  const { stdout } = await runCli(['explain', 'missing-entry', '--json']);
  expect(JSON.parse(stdout)).toEqual({ version: 1, code: 'bundle/missing-entry', page });
});

test.each<[word: string, hint: string]>([
  ['bundle/missing-entri', 'Did you mean "bundle/missing-entry"?'],
  ['mising-entry', 'Did you mean "bundle/missing-entry"?'],
  ['banana', 'List all codes with: platform rules'],
  ['../package', 'List all codes with: platform rules'],
  ['guides/testing', 'List all codes with: platform rules'],
])('rejects the unknown rule code %s, and suggests what to try', async (word, hint) => {
  const { code, stderr } = await runCli(['explain', word]);
  expect(code).toBe(2);
  expect(stderr).toContain(`Unknown code: "${word}".`);
  expect(stderr).toContain(hint);
});
