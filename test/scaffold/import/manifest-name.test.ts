import { createFixture } from 'fs-fixture';
import { expect, test } from 'vitest';
import { importProject } from '../../../src/scaffold/import/import-project.js';

test('finds a manifest with a different file name by its fields', async () => {
  const fields = 'name: weather\ntitle: Weather\nscript: ./script.ts\nscopes: []\n';
  await using fixture = await createFixture({
    'old/integration.yaml': fields,
    'old/.travis.yml': 'name: CI\nscript: npm test\n',
    'old/other/integration.yaml': fields,
    'old/script.ts':
      "import { createIntegration } from '@acme/runtime';\nexport default createIntegration({});\n",
    'none/.travis.yml': 'name: CI\nscript: npm test\n',
  });
  const { files } = await importProject(fixture.getPath('old'), { sdkSpec: '^1.0.0' });
  expect([...files.keys()]).toEqual(expect.arrayContaining(['.travis.yml', 'platform-manifest.yaml']));
  expect([...files.keys()]).not.toContain('integration.yaml');
  await expect(importProject(fixture.getPath('none'), { sdkSpec: '^1.0.0' })).rejects.toMatchObject({
    code: 'no-manifest',
  });
});
