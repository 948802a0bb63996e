import { renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { openContent } from '../../src/content/index.js';
import { temporaryFolder, writeFiles } from '../support/temporary-folder.js';

let folder: string;

beforeEach(() => void (folder = temporaryFolder()));

const write = (files: Record<string, string>): void => writeFiles(folder, files);

it('scans only folders that have changed and new folders inside them', async () => {
  write({ 'a.md': 'A', 'g/one.md': '1', 'g/two/three.md': '3', 'h/four.md': '4' });
  const ids = { read: () => ({}), write: () => {} };
  const content = openContent({ folder, spaceId: 's', clock: { now: () => 0 }, ids });
  await content.ready;
  const touch = async (...folders: string[]): Promise<unknown[]> => {
    const { id } = content.revision();
    await content.look(new Set(folders.map((path) => join(folder, path))));
    if (content.revision().id === id) return [];
    return content
      .revision()
      .changes.flatMap((change) => ('page' in change ? [[change.type, change.page.path]] : []));
  };
  write({ 'a.md': 'A2', 'g/one.md': 'changed', 'g/new/page.md': 'N' });
  expect(await touch('')).toEqual([['page_edited', 'a']]);
  expect(await touch('g')).toEqual([
    ['page_edited', 'g/one'],
    ['page_created', 'g/new/page'],
  ]);
  renameSync(join(folder, 'g/two'), join(folder, 'h/two'));
  expect(await touch('g', 'h', 'g/two')).toEqual([['page_moved', 'h/two']]);
  rmSync(join(folder, 'h'), { recursive: true });
  // Scanning the parent folder detects a deleted folder.
  expect(await touch('h')).toEqual([
    ['page_deleted', 'h/four'],
    ['page_deleted', 'h/two/three'],
  ]);
  const outside = temporaryFolder();
  writeFileSync(join(outside, 'page.md'), 'outside');
  rmSync(join(folder, 'g'), { recursive: true });
  symlinkSync(outside, join(folder, 'g'));
  expect((await touch('g', 'g/new')).map(String).sort()).toEqual([
    'page_deleted,g/new/page',
    'page_deleted,g/one',
  ]);
  expect(content.warnings()).toMatchObject([{ file: 'g' }]);
  rmSync(outside, { recursive: true });
  const { id } = content.revision();
  await content.look();
  expect(content.revision().id).toBe(id);
  content.close();
});
