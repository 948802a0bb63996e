import { mkdirSync, writeFileSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL, fileURLToPath } from 'node:url';
import { createTestPlatform, replayRecording } from 'integration-platform/testing';
import type { IntegrationScript } from 'integration-platform';
import { expect, onTestFinished, test } from 'vitest';
import { errorOfEntry } from '../../src/testing/recorded-calls.js';
import { callEntry } from '../support/call-entry.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { runCli } from '../support/run-cli.js';

const folder = '/work/my project (1)';

test.each([
  ['index.ts', `at fetch (${folder}/index.ts:2:9)`],
  ['my page.ts', `at async ${folder}/my page.ts:2:9`],
  ['index.ts', `at fetch (${pathToFileURL(`${folder}/index.ts`).href}:2:9)`],
  ['../shared/run.ts', 'at run (/work/shared/run.ts:2:9)'],
  ['caller.ts', 'at file:///%2F:2:9'],
])("points to the line of a call's error in %s: %s", (file, frame) => {
  const text = `[integrations] Error: boom\n    ${frame}\n    at caller (${folder}/caller.ts:2:9)`;
  const entry = callEntry('call_1', { outcome: 'failed', logs: [{ level: 'error', text, time: 0 }] });
  expect(errorOfEntry(entry, folder)).toBe(`Error: boom (${file}:2:9)`);
});

test('shows the line of an error in a script whose path contains spaces and brackets', async () => {
  const parent = temporaryFolder();
  const project = join(parent, 'my project (1)');
  mkdirSync(project);
  const file = join(project, 'index.mjs');
  const own = "export const fail = () => {\n  throw new Error('boom');\n};\n";
  writeFileSync(join(project, 'own fail.mjs'), own);
  writeFileSync(
    file,
    "import { fail } from './own fail.mjs';\nexport default { fetch: async () => fail() };\n",
  );
  const { default: integration } = (await import(pathToFileURL(file).href)) as { default: IntegrationScript };
  const fields = { name: 'spaces', title: 'Spaces', description: 'Throws.', organization: 'acme' };
  const manifest = { ...fields, visibility: 'private', scopes: [] };
  const platform = await createTestPlatform({ integration, manifest, folder: project });
  onTestFinished(() => platform.close());
  await platform.install();
  expect((await platform.fetch('/')).error).toBe('Error: boom (own fail.mjs:2:9)');
});

const root = fileURLToPath(new URL('../../', import.meta.url));

test('an error about a difference points to the line of the test', async () => {
  const cwd = temporaryFolder();
  await runCli(['init', 'new', '--template', 'block', '--organization', 'acme'], { cwd });
  const folder = join(cwd, 'new');
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules/integration-platform'));
  const script = join(folder, 'src/counter.tsx');
  writeFileSync(script, readFileSync(script, 'utf8').replace('title="Counter"', 'title="Presses"'));

  const replay = () => replayRecording(join(folder, 'recordings/press.json'));
  const { message, stack = '' } = await replay().then(
    () => new Error('The recording is the same.'),
    (error: Error) => error,
  );
  expect(message).toContain('The response differs');
  expect(stack.startsWith(`Error: ${message}\n`)).toBe(true);
  expect(stack.slice(`Error: ${message}\n`.length).split('\n')[0]).toContain('recorded-calls.test.ts');
});
