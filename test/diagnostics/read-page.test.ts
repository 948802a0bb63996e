import { createFixture } from 'fs-fixture';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { readPage } from '../../src/diagnostics/read-page.js';

test.each<[code: string, page: string | undefined]>([
  ['manifest/unknown-key', '# manifest/unknown-key\n\nA typo.\n\n```md\n## Not a code\n```\n'],
  ['manifest/unknown-name', '# manifest/unknown-name\n\nAnother.\n'],
  ['manifest/nosuch', undefined],
  ['../secret', undefined],
  ['manifest/../../secret', undefined],
  ['manifest', undefined],
])('finds the page for the code %s', async (code, page) => {
  await using fixture = await createFixture({
    'docs/problems/manifest.md':
      '# Problems\n\nAll.\n\n## manifest/unknown-key\n\nA typo.\n\n```md\n## Not a code\n```\n\n## manifest/unknown-name\n\nAnother.\n',
    'secret.md': 'secret',
  });
  expect(readPage(code, pathToFileURL(`${fixture.getPath('docs')}/`))).toBe(page);
});
