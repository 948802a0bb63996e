import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { beforeEach, expect, it } from 'vitest';
import { openContent, type Content, type PageEntry } from '../../src/content/index.js';
import { temporaryFolder, writeFiles } from '../support/temporary-folder.js';

let folder: string;
let stored: Record<string, string>;

beforeEach(() => {
  folder = temporaryFolder();
  stored = {};
});

const write = (path: string, text: string): void => writeFiles(folder, { [path]: text });

async function open(): Promise<Content> {
  const ids = { read: () => stored, write: (moved: Record<string, string>) => (stored = moved) };
  const content = openContent({ folder, spaceId: 's', clock: { now: () => 0 }, ids });
  await content.ready;
  return content;
}

const flatten = (pages: readonly PageEntry[]): PageEntry[] =>
  pages.flatMap((page) => [page, ...flatten(page.pages)]);

const files = ['README.md', 'a.md', 'g/README.md', 'g/b.md', 'g/h/c.md', 'g/h/d.md', 'i/e.md'];
const save = fc.record({
  file: fc.constantFrom(...files, 'g.md', 'SUMMARY.md', 'picture.png'),
  title: fc.constantFrom('A', 'B', 'C'),
  order: fc.constantFrom('', 'order: 1\n', 'hidden: true\n'),
  text: fc.nat(3),
});

it('has the same pages after any series of saves as after reopening the folder', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(save, { minLength: 1, maxLength: 3 }), { maxLength: 5 }),
      async (looks) => {
        rmSync(folder, { recursive: true });
        for (const file of files) write(file, '---\n---\n# A\n');
        const content = await open();
        for (const saves of looks) {
          const before = flatten(content.pages());
          const hashes = before.map(({ hash }) => hash);
          for (const { file, title, order, text } of saves)
            write(
              file,
              file === 'SUMMARY.md'
                ? `* [${title}](g/b.md)\n`
                : `---\n${order}---\n# ${title}\n${'x'.repeat(text)}`,
            );
          await content.look();
          expect(before.map(({ hash }) => hash)).toEqual(hashes);
        }
        const again = await open();
        expect(content.pages()).toEqual(again.pages());
        for (const { id, path, hash } of flatten(content.pages()).filter(({ type }) => type === 'document')) {
          expect(content.page(id)).toMatchObject({ path, hash });
          expect(content.pageByPath(path)).toMatchObject({ id, hash });
        }
      },
    ),
    { numRuns: 150 },
  );
});

it('assigns a new id to a folder that takes the path of a moved folder, even if it is empty at first', async () => {
  write('g/a.md', 'A');
  const content = await open();
  renameSync(join(folder, 'g'), join(folder, 'h'));
  await content.look();
  mkdirSync(join(folder, 'g'));
  await content.look();
  write('g/b.md', 'B');
  await content.look();
  const ids = flatten(content.pages()).map(({ id }) => id);
  expect(ids).toHaveLength(4);
  expect(new Set(ids).size).toBe(4);
});
