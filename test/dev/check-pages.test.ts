import { createFixture } from 'fs-fixture';
import { expect, it, vi } from 'vitest';
import { openContent } from '../../src/content/index.js';
import { checkPages } from '../../src/dev/check-pages.js';

it('reports each unreadable tag and broken link once, with its position', async () => {
  await using files = await createFixture({
    'README.md':
      '# A\n\n[fine](g/one.md#x) [folder](g/) ![pic](pic.png) [out](https://example.com/x.md) [here](#a)\n\nsee [gone](g/missing%20page.md).\n\n`[code](no.md)`\n',
    'g/README.md': '# G\n\n[up](../README.md) [outside](../../secret.md)\n',
    'g/one.md': '# One\n\n{% @hello/note text="a "quoted" text" %}\n',
    'pic.png': 'x',
  });
  const closing = new AbortController();
  const ids = { read: () => ({}), write: () => {} };
  const content = openContent({ folder: files.path, spaceId: 's', clock: { now: () => 0 }, ids });
  const reports: string[][] = [];
  await checkPages(content, closing.signal, (found) =>
    reports.push(
      found
        .map(
          ({ code, file, range }) =>
            `${code} ${file.slice(content.folder.length + 1)}:${range?.start.line}:${range?.start.column}`,
        )
        .sort(),
    ),
  );
  expect(reports).toEqual([
    [
      'content/broken-link README.md:5:12',
      'content/broken-link g/README.md:3:30',
      'content/invalid-tag g/one.md:3:25',
    ],
  ]);
  // A link on another page breaks, and known problems are not repeated.
  await files.writeFile('new.md', '# New\n\n{% @hello/note text=bad} %}\n');
  await files.rm('pic.png');
  await content.look();
  await vi.waitFor(() => expect(reports).toHaveLength(2));
  expect(reports[1]).toEqual(['content/broken-link README.md:3:40', 'content/invalid-tag new.md:3:21']);
  closing.abort();
  content.close();
});
