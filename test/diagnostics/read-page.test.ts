import { createFixture } from 'fs-fixture';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { readPage } from '../../src/diagnostics/read-page.js';

test.each<[code: string, page: string | undefined]>([
  ['manifest/unknown-key', '# Unknown key'],
  ['manifest/nosuch', undefined],
  ['../secret', undefined],
  ['manifest/../../secret', undefined],
  ['manifest', undefined],
])('finds the page for the code %s', async (code, page) => {
  await using fixture = await createFixture({
    'docs/manifest/unknown-key.md': '# Unknown key',
    'secret.md': 'secret',
  });
  expect(readPage(code, pathToFileURL(`${fixture.getPath('docs')}/`))).toBe(page);
});
