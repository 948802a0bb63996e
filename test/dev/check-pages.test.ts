import { createFixture } from 'fs-fixture';
import { expect, it, vi } from 'vitest';
import { createListeners } from '../../src/base/listeners.js';
import { openContent, type Content } from '../../src/content/index.js';
import { checkPages } from '../../src/dev/check-pages.js';

// cspell:ignore helo

const block = (id: string) => ({ id, title: id, urlUnfurl: [] });

async function check(folder: string) {
  const closing = new AbortController();
  const ids = { read: () => ({}), write: () => {} };
  const content: Content = openContent({ folder, spaceId: 's', clock: { now: () => 0 }, ids });
  const reports: string[][] = [];
  const helps: (string | undefined)[] = [];
  const reloads = createListeners<readonly { name: string; blocks: ReturnType<typeof block>[] }[]>();
  await checkPages(content, {
    signal: closing.signal,
    report(found) {
      helps.push(...found.map(({ help }) => help));
      reports.push(
        found
          .map(
            ({ code, file, range }) =>
              `${code} ${file.slice(content.folder.length + 1)}:${range?.start.line}:${range?.start.column}`,
          )
          .sort(),
      );
    },
    integrations: [{ name: 'hello', blocks: [block('note')] }],
    onReload: reloads.subscribe,
  });
  return {
    content,
    reports,
    helps,
    reload(...ids: string[]) {
      reloads.emit([{ name: 'hello', blocks: ids.map(block) }]);
    },
    close() {
      closing.abort();
      content.close();
    },
  };
}

it('reports each unreadable tag and broken link once, with its position', async () => {
  await using files = await createFixture({
    'README.md':
      '# A\n\n[fine](g/one.md#x) [folder](g/) ![pic](pic.png) [out](https://example.com/x.md) [here](#a)\n\nsee [gone](g/missing%20page.md).\n\n`[code](no.md)`\n',
    'g/README.md': '# G\n\n[up](../README.md) [outside](../../secret.md)\n',
    'g/one.md': '# One\n\n{% @hello/note text="a "quoted" text" %}\n\n## X\n',
    'pic.png': 'x',
  });
  const { content, reports, close } = await check(files.path);
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
  close();
});

it("reports a block's tags until the manifest declares the block", async () => {
  await using files = await createFixture({
    'a.md':
      '# A\n\n{% @hello/note %}\n\n- {% @hello/notes %}\n\n{% @helo/note %}\n\n{% @slack/message %}\n\n{% hint %}\n{% endhint %}\n',
    'b.md': '{% @hello/chart %}\n',
  });
  const { reports, helps, reload, close } = await check(files.path);
  expect(reports).toEqual([
    ['content/unknown-block a.md:5:3', 'content/unknown-block a.md:7:1', 'content/unknown-block b.md:1:1'],
  ]);
  expect(helps).toEqual([
    'Did you mean @hello/note?',
    'Did you mean @hello/note?',
    expect.stringContaining('platform add component chart'),
  ]);
  reload('note', 'chart', 'notes');
  reload('note');
  await vi.waitFor(() => expect(reports).toHaveLength(2));
  expect(reports[1]).toEqual(['content/unknown-block a.md:5:3', 'content/unknown-block b.md:1:1']);
  close();
});
