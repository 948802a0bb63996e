import { createFixture } from 'fs-fixture';
import { expect, test } from 'vitest';
import { writeTypesOnReload } from '../../../src/dev/reload/write-types-on-reload.js';
import { loadManifest } from '../../../src/manifest/index.js';

const manifest =
  'name: a\ntitle: A\ndescription: Does it.\norganization: o\nvisibility: private\nscopes: []\nsecrets:\n  KEY: ${{ env.KEY }}\n';

test('types are kept in step with the manifest, where a project has them', async () => {
  await using fixture = await createFixture({ 'platform-manifest.yaml': manifest });
  const loaded = loadManifest({ file: fixture.getPath('platform-manifest.yaml') });
  if (!loaded.ok) throw new Error('The manifest of the test has mistakes.');
  writeTypesOnReload(loaded.value);
  expect(await fixture.exists('platform-env.d.ts')).toBe(false);
  await fixture.writeFile('platform-env.d.ts', '// old');
  writeTypesOnReload(loaded.value);
  expect(await fixture.readFile('platform-env.d.ts', 'utf8')).toContain('KEY: string;');
});
