import { createFixture } from 'fs-fixture';
import { expect, test } from 'vitest';
import { writeTypesOnReload } from '../../../src/dev/reload/write-types-on-reload.js';
import { loadManifest, renderEnvironmentTypes } from '../../../src/manifest/index.js';

const manifest =
  'name: a\ntitle: A\ndescription: Does it.\norganization: o\nvisibility: private\nscopes: []\nsecrets:\n  KEY: ${{ env.KEY }}\n';

test('types are kept in step with the manifest, where a project has them', async () => {
  await using fixture = await createFixture({ 'platform-manifest.yaml': manifest });
  const loaded = loadManifest({ file: fixture.getPath('platform-manifest.yaml') });
  if (!loaded.ok) throw new Error('The manifest of the test has errors.');
  writeTypesOnReload(loaded.value);
  expect(await fixture.exists('platform-env.d.ts')).toBe(false);
  await fixture.writeFile('platform-env.d.ts', '// old');
  writeTypesOnReload(loaded.value);
  expect(await fixture.readFile('platform-env.d.ts', 'utf8')).toContain('KEY: string;');
});

test('types with the line ends of Windows that fit the manifest stay as they are', async () => {
  await using fixture = await createFixture({ 'platform-manifest.yaml': manifest });
  const loaded = loadManifest({ file: fixture.getPath('platform-manifest.yaml') });
  if (!loaded.ok) throw new Error('The manifest of the test has problems.');
  const windows = renderEnvironmentTypes(loaded.value).replaceAll('\n', '\r\n');
  await fixture.writeFile('platform-env.d.ts', windows);
  writeTypesOnReload(loaded.value);
  expect(await fixture.readFile('platform-env.d.ts', 'utf8')).toBe(windows);
});
