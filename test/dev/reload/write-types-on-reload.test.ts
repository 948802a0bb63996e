import { createFixture } from 'fs-fixture';
import { expect, test } from 'vitest';
import { writeTypesOnReload } from '../../../src/dev/reload/reloader.js';
import { loadManifest, renderEnvironmentTypes } from '../../../src/manifest/index.js';

const manifest =
  'name: a\ntitle: A\ndescription: Does it.\norganization: o\nvisibility: private\nscopes: []\nsecrets:\n  KEY: ${{ env.KEY }}\n';

test('keeps the generated types up to date with the manifest', async () => {
  await using fixture = await createFixture({ 'platform-manifest.yaml': manifest });
  const loaded = loadManifest({ file: fixture.getPath('platform-manifest.yaml') });
  if (!loaded.ok) throw new Error('The manifest of the test has errors.');
  writeTypesOnReload(loaded.value);
  expect(await fixture.exists('platform-env.d.ts')).toBe(false);
  await fixture.writeFile('platform-env.d.ts', '// old');
  writeTypesOnReload(loaded.value);
  expect(await fixture.readFile('platform-env.d.ts', 'utf8')).toContain('KEY: string;');
});

test('does not rewrite up-to-date types that have Windows line endings', async () => {
  await using fixture = await createFixture({ 'platform-manifest.yaml': manifest });
  const loaded = loadManifest({ file: fixture.getPath('platform-manifest.yaml') });
  if (!loaded.ok) throw new Error('The manifest of the test has problems.');
  const windows = renderEnvironmentTypes(loaded.value).replaceAll('\n', '\r\n');
  await fixture.writeFile('platform-env.d.ts', windows);
  writeTypesOnReload(loaded.value);
  expect(await fixture.readFile('platform-env.d.ts', 'utf8')).toBe(windows);
});
