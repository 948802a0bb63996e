import { readFileSync } from 'node:fs';
import { createFixture } from 'fs-fixture';
import { expect, test } from 'vitest';
import { manifestText } from '../support/manifest-text.js';
import { runCli } from '../support/run-cli.js';

const docs = readFileSync(new URL('../../docs/guides/ci.md', import.meta.url), 'utf8');
const hooks = readFileSync(new URL('../../.pre-commit-hooks.yaml', import.meta.url), 'utf8');
const manifest = manifestText({ scopes: '[space:content:read]' });

test.each(docs.match(/(?<=npx platform )validate .*?(?=$| >)/gm) ?? [])(
  'the guide\'s command "platform %s" passes',
  async (command) => {
    await using fixture = await createFixture({ 'platform-manifest.yaml': manifest });
    const { code, stderr } = await runCli(command.split(' '), { cwd: fixture.path });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  },
);

test('the ignore comment in the CI guide works', async () => {
  const excuse = /^categories:\n(?: {2}.*\n)+/m.exec(docs)?.[0] ?? '';
  await using fixture = await createFixture({ 'platform-manifest.yaml': manifest + excuse });
  expect(await runCli(['validate', '--strict'], { cwd: fixture.path })).toMatchObject({
    code: 0,
    stdout:
      'platform-manifest.yaml:9 ignored manifest/unknown-category: in review with the marketplace\n\nNo problems in 1 file. 1 ignored.\n',
  });
});

test('the hook in the CI guide checks only the files that the guide lists', () => {
  const pattern = /files: (.*)/.exec(hooks)?.[1] ?? '';
  expect(docs).toContain(`files: ${pattern}`);
  const files = [
    'platform-manifest.yaml',
    'a/b/platform-manifest.yaml',
    'a/platform.dev.yaml',
    'my-platform-manifest.yaml',
    'platform-manifest.yml',
    'platform-dev.yaml',
  ];
  expect(files.filter((file) => new RegExp(pattern).test(file))).toEqual(files.slice(0, 3));
});

test('the output shown in the CI guide matches the actual output', async () => {
  const shown = JSON.parse(/(?<=^```json\n)[\s\S]*?(?=^```)/m.exec(docs)?.[0] ?? '') as object;
  const misspelt = manifest.replace('description', 'descripton');
  await using fixture = await createFixture({ 'platform-manifest.yaml': misspelt });
  const { stdout } = await runCli(['validate', '--format', 'json'], { cwd: fixture.path });
  expect(JSON.parse(stdout)).toEqual(shown);
});
