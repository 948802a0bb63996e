import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { moveFile, writeFile } from '../../src/content/folder/change-files.js';
import { openContent, type Content } from '../../src/content/index.js';

let folder: string;
let stored: Record<string, string>;
const opened: Content[] = [];

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'platform-content-')));
  stored = {};
});

afterEach(() => {
  for (const content of opened.splice(0)) content.close();
  rmSync(folder, { recursive: true, force: true });
});

const write = (files: Record<string, string | Uint8Array>): void => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
};

async function open(files: Record<string, string | Uint8Array> = {}): Promise<Content> {
  write(files);
  const content = openContent({
    folder,
    spaceId: 'space_local',
    clock: { now: () => 0 },
    ids: { read: () => stored, write: (moved) => (stored = moved) },
  });
  opened.push(content);
  await content.ready;
  return content;
}

describe('changing files in a mounted folder', () => {
  it('moves only the page of an index.md next to a README.md', async () => {
    const content = await open({ 'g/README.md': '# G', 'g/index.md': '# I', 'g/other.md': '# O' });
    const page = content.pageByPath('g/index');
    expect(await content.move(page?.id ?? '', 'moved')).toBe('moved');
    expect(readdirSync(folder).sort()).toEqual(['g', 'moved.md']);
    expect(readdirSync(join(folder, 'g')).sort()).toEqual(['README.md', 'other.md']);
  });

  it('reports files that have vanished as missing', () => {
    expect(moveFile(folder, 'gone.md', 'new.md')).toBe('missing');
    expect(writeFile(folder, 'gone.md', 'text')).toBe(false);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('creates a page and its parent folders without replacing files', async () => {
    const content = await open({ 'one.md': 'kept' });
    const made = await content.create('guides/deep/start', '# Start\n');
    expect(typeof made === 'object' && content.page(made.id)).toMatchObject({
      path: 'guides/deep/start',
      title: 'Start',
    });
    expect(await content.create('one', 'lost')).toBe('taken');
    expect(readFileSync(join(folder, 'one.md'), 'utf8')).toBe('kept');
  });

  it.each([
    '../out',
    '/etc/x',
    'a//b',
    '.hidden',
    'a/../../b',
    'a\\b',
    'c:d',
    'SUMMARY',
    '',
    '~/x',
    'a\u0000b',
    'CON',
    'guides/nul.txt',
    'com\u00b9',
    'a\ud800b',
    'gnp\u202e.a',
    'a\u200bb',
    'node_modules/x',
    'guides/node_modules/x',
    '語'.repeat(81),
    `${'a/'.repeat(31)}b`,
  ])('rejects the path %j for a new page', async (path) => {
    const content = await open();
    expect(await content.create(path, 'x')).toBe('invalid');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('creates every page at an allowed path where readers can open it', async () => {
    const content = await open();
    for (const path of ['語'.repeat(80), `${'a/'.repeat(30)}b`, 'console', 'com10', 'گلی\u200cها']) {
      const made = await content.create(path, '# Made\n');
      expect(typeof made === 'object' && content.page(made.id)).toMatchObject({ path, title: 'Made' });
    }
  });

  it('edits a page whose file name is as long as the file system allows', async () => {
    const content = await open({ [`${'x'.repeat(252)}.md`]: '# One' });
    const { id, hash } = content.pageByPath('x'.repeat(252)) ?? { id: '', hash: '' };
    expect(await content.write(id, { text: '# Two', hash })).toBe('written');
    expect(content.page(id)?.text).toBe('# Two');
    expect(readdirSync(folder)).toHaveLength(1);
  });

  it('never creates, moves or deletes files through a symlink', async () => {
    const outside = realpathSync(mkdtempSync(join(tmpdir(), 'platform-outside-')));
    const content = await open({ 'one.md': '# One', 'sub/two.md': '# Two' });
    const [one, two] = ['one', 'sub/two'].map((path) => content.pageByPath(path));
    symlinkSync(outside, join(folder, 'away'));
    expect(await content.create('away/page', 'x')).toBe('invalid');
    expect(await content.move(one?.id ?? '', 'away/page')).toBe('invalid');
    renameSync(join(folder, 'sub'), join(outside, 'sub'));
    symlinkSync(join(outside, 'sub'), join(folder, 'sub'));
    expect(await content.remove(two?.id ?? '', two?.hash ?? '')).toBe('missing');
    expect(readdirSync(outside)).toEqual(['sub']);
    expect(readdirSync(join(outside, 'sub'))).toEqual(['two.md']);
    rmSync(outside, { recursive: true });
  });

  it('moves a page and keeps its id', async () => {
    const content = await open({ 'one.md': '# One', 'two.md': '# Two' });
    const id = content.pageByPath('one')?.id ?? '';
    expect(await content.move(id, 'two')).toBe('taken');
    expect(await content.move(id, 'guides/first.md')).toBe('moved');
    expect(content.page(id)).toMatchObject({ path: 'guides/first', file: 'guides/first.md' });
    expect(readdirSync(folder).sort()).toEqual(['guides', 'two.md']);
  });

  it('moves a folder together with its page, but never the first page of the space', async () => {
    const content = await open({ 'README.md': '# A', 'guides/README.md': '# G', 'guides/one.md': '# One' });
    const one = content.pageByPath('guides/one')?.id ?? '';
    expect(await content.move(content.pageByPath('guides')?.id ?? '', 'guides/below')).toBe('invalid');
    expect(await content.move(content.pageByPath('guides')?.id ?? '', 'handbook')).toBe('moved');
    expect(content.page(one)?.path).toBe('handbook/one');
    expect(await content.move(content.pageByPath('')?.id ?? '', 'home')).toBe('invalid');
  });

  it('deletes a page only if its text has not changed', async () => {
    const content = await open({ 'one.md': '# One' });
    const { id, hash } = content.pageByPath('one') ?? { id: '', hash: '' };
    write({ 'one.md': '# Other' });
    expect(await content.remove(id, hash)).toBe('changed');
    expect(await content.remove(id, content.page(id)?.hash ?? '')).toBe('removed');
    expect(await content.remove(id, hash)).toBe('missing');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('does not write through a folder or file that was replaced with a symlink', async () => {
    const content = await open({ 'a/page.md': 'same', 'b.md': 'same' });
    const outside = mkdtempSync(join(tmpdir(), 'platform-outside-'));
    writeFileSync(join(outside, 'page.md'), 'same');
    const pages = ['a/page', 'b'].map((path) => content.pageByPath(path));
    rmSync(join(folder, 'a'), { recursive: true });
    symlinkSync(outside, join(folder, 'a'));
    rmSync(join(folder, 'b.md'));
    symlinkSync(join(outside, 'page.md'), join(folder, 'b.md'));
    for (const page of pages)
      expect(await content.write(page?.id ?? '', { text: 'new', hash: page?.hash ?? '' })).toBe('missing');
    expect(readFileSync(join(outside, 'page.md'), 'utf8')).toBe('same');
    rmSync(outside, { recursive: true });
  });
});
