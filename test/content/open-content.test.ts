import {
  chmodSync,
  linkSync,
  readdirSync,
  readFileSync,
  statSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { moveFile, writeFile } from '../../src/content/folder/change-files.js';
import { openContent, type Content, type PageEntry } from '../../src/content/index.js';
import { temporaryFolder, writeFiles } from '../support/temporary-folder.js';

let folder: string;
let stored: Record<string, string>;
const opened: Content[] = [];

beforeEach(() => {
  folder = temporaryFolder();
  stored = {};
});

afterEach(() => {
  for (const content of opened.splice(0)) content.close();
});

const write = (files: Record<string, string | Uint8Array>): void => writeFiles(folder, files);
const move = (from: string, to: string): void => {
  mkdirSync(dirname(join(folder, to)), { recursive: true });
  renameSync(join(folder, from), join(folder, to));
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

type Outline = [path: string, title: string, below?: Outline[]];
const outline = (pages: readonly PageEntry[]): Outline[] =>
  pages.map(({ path, title, pages: below }) =>
    below.length > 0 ? [path, title, outline(below)] : [path, title],
  );

it.each([
  ['space_view', 'space_view'],
  ['_One_ __two__', 'One two'],
  ['A [link](x.md) to `x_y`', 'A link to x_y'],
])('uses the heading "%s" without its markup as the page title', async (heading, title) => {
  const content = await open({ 'a.md': `# ${heading}\n` });
  expect(outline(content.pages())).toEqual([['a', title]]);
});

it("takes a page's title from the front matter, the first heading or the file name", async () => {
  const content = await open({
    'README.md': '# Welcome *here*',
    'guides/index.md': 'no heading',
    'guides/two.md': '---\ntitle: Second\norder: 2\ndescription: D\n---\n# x',
    'guides/one.md': '---\norder: 1\nhidden: true\n---\n# First',
    'loose/getting-started.md': '',
  });
  expect(outline(content.pages())).toEqual([
    ['', 'Welcome here'],
    [
      'guides',
      'Guides',
      [
        ['guides/one', 'First'],
        ['guides/two', 'Second'],
      ],
    ],
    ['loose', 'Loose', [['loose/getting-started', 'Getting started']]],
  ]);
  expect(content.pageByPath('/guides/two/')).toMatchObject({
    title: 'Second',
    description: 'D',
    hidden: false,
  });
  expect(content.pageByPath('guides/one')).toMatchObject({ hidden: true });
  expect(content.pageByPath('loose')).toBeUndefined();
});

it('gives different paths to a page and a folder with the same name', async () => {
  const content = await open({
    'api.md': '# API',
    'api/calls.md': '# Calls',
    'guide.md': '# Guide',
    'guide/README.md': '# Guides',
    'guide/one.md': '# One',
  });
  expect(outline(content.pages())).toEqual([
    ['api', 'API', [['api/calls', 'Calls']]],
    ['guide-2', 'Guide'],
    ['guide', 'Guides', [['guide/one', 'One']]],
  ]);
  expect(content.pageByPath('guide-2')).toMatchObject({ title: 'Guide' });
});

it('lists pages in the order of SUMMARY.md, which is not itself a page', async () => {
  const content = await open({
    'SUMMARY.md':
      '# Table\n\n* [Zed](z.md)\n\n## API\n* [Deep](api/deep.md "t")\n  * [Out](https://example.com)\n## Z\n* [First](a.md)',
    'a.md': '# a',
    'api/deep.md': '# d',
    'c.md': '# c',
    'z.md': '# z',
  });
  expect(outline(content.pages())).toEqual([
    ['z', 'Zed'],
    ['api', 'API', [['api/deep', 'Deep']]],
    ['a', 'First'],
    ['c', 'c'],
  ]);
  expect(content.files()).toEqual([]);
  expect(content.pageByPath('')?.path).toBe('z');
});

it('skips a page that is hidden, another name of a hidden file, a symlink, too large or not UTF-8', async () => {
  symlinkSync('/etc', join(folder, 'etc'));
  symlinkSync('/etc/passwd', join(folder, 'passwd.md'));
  write({ '.env': 'KEY=secret', 'twin.txt': 'x' });
  for (const name of ['env.md', 'env.txt']) linkSync(join(folder, '.env'), join(folder, name));
  linkSync(join(folder, 'twin.txt'), join(folder, 'twin.md'));
  const content = await open({
    '.hidden.md': 'x',
    'node_modules/x.md': 'x',
    'large.md': 'x'.repeat(1024 * 1024 + 1),
    'latin.md': Buffer.from([0xe9]),
    'bad.md': '---\ntitle: [\n---\n',
    'a.md': 'x',
  });
  expect(outline(content.pages())).toEqual([
    ['a', 'A'],
    ['bad', 'Bad'],
    ['twin', 'Twin'],
  ]);
  expect(
    content
      .warnings()
      .map(({ file, message }) => `${file}: ${message.slice(0, 30)}`)
      .sort(),
  ).toEqual([
    'bad.md: The front matter is not valid ',
    'env.md: It is a hard link to a hidden ',
    'env.txt: It is a hard link to a hidden ',
    'etc: It is a symbolic link. Replace',
    'large.md: It is 1048577 bytes. The maxim',
    'latin.md: It is not UTF-8. Save it as UT',
    'passwd.md: It is a symbolic link. Replace',
  ]);
});

it('does not read the titles in a folder that replaced its own folder with a symlink', async () => {
  write({ 'a.md': '# Own\n' });
  const content = await open();
  const outside = temporaryFolder();
  writeFileSync(join(outside, 'b.md'), '# Secret\n');
  rmSync(folder, { recursive: true });
  symlinkSync(outside, folder);
  await content.look();
  expect(content.pages().map(({ title }) => title)).toEqual(['Own']);
  expect(content.warnings()).toMatchObject([{ code: 'unreadable-folder' }]);
});

it('does not read a page through a folder that was replaced with a symlink', async () => {
  const content = await open({ 'a/page.md': 'inside', 'a/pic.png': 'inside' });
  const outside = temporaryFolder();
  writeFileSync(join(outside, 'page.md'), 'outside');
  writeFileSync(join(outside, 'pic.png'), 'outside');
  rmSync(join(folder, 'a'), { recursive: true });
  symlinkSync(outside, join(folder, 'a'));
  expect(content.pageByPath('a/page')).toBeUndefined();
  expect(content.file('a/pic.png')).toBeUndefined();
});

it("keeps a page's id after the page is moved or the platform is restarted", async () => {
  const content = await open({ 'a.md': 'A', 'b.md': 'B', 'c/d.md': 'D' });
  const before = ['a', 'b', 'c/d'].map((path) => content.pageByPath(path)?.id);
  expect(stored).toEqual({});
  move('a.md', 'x/moved.md');
  move('c', 'e');
  await content.look();
  write({ 'a.md': 'another' });
  await content.look();
  const ids = (one: Content) => ['x/moved', 'b', 'e/d'].map((path) => one.pageByPath(path)?.id);
  expect(ids(content)).toEqual(before);
  const fresh = content.pageByPath('a')?.id;
  expect(before).not.toContain(fresh);
  content.close();
  const again = await open();
  expect(ids(again)).toEqual(before);
  expect(again.pageByPath('a')?.id).toBe(fresh);
  expect(again.page(before[0] ?? '')?.text).toBe('A');
});

const look = async (content: Content): Promise<unknown[]> => {
  const { id } = content.revision();
  await content.look();
  if (content.revision().id === id) return [];
  return content.revision().changes.map((change) => {
    const { type } = change;
    if ('file' in change) return [type, change.file.path];
    const { path } = change.page;
    if (change.type === 'page_edited') return [type, path, Object.keys(change.attributes)];
    return change.type === 'page_moved' ? [type, path, change.from, change.to] : [type, path];
  });
};

it.each<[string, () => void, unknown[]]>([
  ['an edit', () => write({ 'a.md': 'A2' }), [['page_edited', 'a', ['documentId']]]],
  ['saving the same text again', () => write({ 'a.md': 'A' }), []],
  ['a new page', () => write({ 'new.md': 'x' }), [['page_created', 'new']]],
  ['a deleted page', () => rmSync(join(folder, 'a.md')), [['page_deleted', 'a']]],
  [
    'an atomic save',
    () => {
      write({ 'a.md.tmp': 'A2' });
      move('a.md.tmp', 'a.md');
    },
    [['page_edited', 'a', ['documentId']]],
  ],
  [
    'a save in vim',
    () => {
      move('a.md', '.a.md~');
      write({ 'a.md': 'A2' });
      rmSync(join(folder, '.a.md~'));
    },
    [['page_edited', 'a', ['documentId']]],
  ],
  [
    'deleting and recreating a page',
    () => {
      rmSync(join(folder, 'a.md'));
      write({ 'a.md': 'A' });
    },
    [],
  ],
  ['a copy', () => write({ 'copy.md': 'A' }), [['page_created', 'copy']]],
  [
    'swapping two pages',
    () => {
      move('a.md', 't.md');
      move('b.md', 'a.md');
      move('t.md', 'b.md');
    },
    [
      ['page_edited', 'a', ['title', 'documentId']],
      ['page_edited', 'b', ['documentId']],
    ],
  ],
  ['a rename', () => move('b.md', 'bb.md'), [['page_edited', 'bb', ['slug']]]],
  ['a rename that only changes the case', () => move('b.md', 'B.md'), [['page_edited', 'B', ['slug']]]],
  [
    'a rename with an edit',
    () => {
      move('b.md', 'bb.md');
      write({ 'bb.md': '# B\n\nmore' });
    },
    [['page_edited', 'bb', ['slug', 'documentId']]],
  ],
  ['a move', () => move('b.md', 'g/b.md'), [['page_moved', 'g/b', '', 'g']]],
  ['a renamed folder', () => move('g', 'h'), [['page_edited', 'h', ['title', 'slug']]]],
  ['a moved folder', () => move('g', 'x/g'), [['page_moved', 'x/g', '', 'x']]],
  ['an edited image', () => write({ 'p.png': '2' }), [['file_edited', 'p.png']]],
  [
    'a reused inode',
    () => {
      rmSync(join(folder, 'a.md'));
      write({ 'other.md': 'unrelated' });
    },
    [
      ['page_created', 'other'],
      ['page_deleted', 'a'],
    ],
  ],
])('records a revision of the pages after %s', async (_, change, expected) => {
  const content = await open({
    'a.md': 'A',
    'b.md': '# B',
    'g/one.md': '1',
    'g/two/three.md': '3',
    'p.png': '1',
  });
  change();
  expect(await look(content)).toEqual(expected);
  expect(await look(content)).toEqual([]);
});

it('treats a file as empty only if it is still empty on a second check', async () => {
  const content = await open({ 'a.md': 'A' });
  write({ 'a.md': '' });
  expect(await look(content)).toEqual([]);
  expect(await look(content)).toEqual([['page_edited', 'a', ['documentId']]]);
});

it('does not create a revision while the folder is missing', async () => {
  const content = await open({ 'a.md': 'A' });
  renameSync(folder, `${folder}-away`);
  expect(await look(content)).toEqual([]);
  expect(content.warnings()).toMatchObject([{ message: expect.stringContaining('cannot be read') }]);
  renameSync(`${folder}-away`, folder);
  expect(await look(content)).toEqual([]);
  expect(content.warnings()).toEqual([]);
});

it('deletes a revision once there are 100 newer ones', async () => {
  const content = await open({ 'a.md': 'A' });
  const first = content.revision().id;
  for (let nth = 0; nth < 100; nth += 1) {
    write({ 'a.md': `edit ${nth}` });
    await content.look();
  }
  expect(content.revisions()).toHaveLength(100);
  expect(content.changes(first)).toBeUndefined();
  expect(content.changes(content.revision().id)).toHaveLength(1);
});

it('edits a page only if its text has not changed, and creates a revision', async () => {
  const content = await open({ 'a.md': 'A' });
  chmodSync(join(folder, 'a.md'), 0o640);
  const page = content.pageByPath('a');
  const { id = '', hash = '' } = page ?? {};
  expect(await content.write(id, { text: 'A2', hash })).toBe('written');
  expect(content.page(id)?.text).toBe('A2');
  expect(content.revision().changes).toMatchObject([{ type: 'page_edited' }]);
  expect(statSync(join(folder, 'a.md')).mode & 0o777).toBe(0o640);
  expect(await content.write(id, { text: 'A3', hash })).toBe('changed');
  expect(await content.write('page_x', { text: 'A3', hash })).toBe('missing');
  expect(readdirSync(folder)).toEqual(['a.md']);
});

it('moves only the page of an index.md next to a README.md', async () => {
  const content = await open({ 'g/README.md': '# G', 'g/index.md': '# I', 'g/other.md': '# O' });
  const page = content.pageByPath('g/index');
  expect(await content.move(page?.id ?? '', 'moved')).toBe('moved');
  expect(readdirSync(folder).sort()).toEqual(['g', 'moved.md']);
  expect(readdirSync(join(folder, 'g')).sort()).toEqual(['README.md', 'other.md']);
});

it('does not replace another name of the same file', () => {
  writeFileSync(join(folder, 'one.md'), 'text');
  linkSync(join(folder, 'one.md'), join(folder, 'two.md'));
  expect(moveFile(folder, 'one.md', 'two.md')).toBe('taken');
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
  const outside = temporaryFolder();
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
  const outside = temporaryFolder();
  writeFileSync(join(outside, 'page.md'), 'same');
  const pages = ['a/page', 'b'].map((path) => content.pageByPath(path));
  rmSync(join(folder, 'a'), { recursive: true });
  symlinkSync(outside, join(folder, 'a'));
  rmSync(join(folder, 'b.md'));
  symlinkSync(join(outside, 'page.md'), join(folder, 'b.md'));
  for (const page of pages)
    expect(await content.write(page?.id ?? '', { text: 'new', hash: page?.hash ?? '' })).toBe('missing');
  expect(readFileSync(join(outside, 'page.md'), 'utf8')).toBe('same');
});
