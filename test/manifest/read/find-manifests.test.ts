import { relative, win32 } from 'node:path';
import { createFixture } from 'fs-fixture';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findManifests, findOneManifest } from '../../../src/manifest/read/find-manifests.js';
import { expandBraces, expandGlob, readFolder } from '../../../src/manifest/read/glob.js';

const name = 'platform-manifest.yaml';
let fixture: Awaited<ReturnType<typeof createFixture>>;

beforeAll(async () => {
  fixture = await createFixture({
    [name]: '',
    'src/deep/x.ts': '',
    [`apps/a/${name}`]: '',
    [`apps/b/${name}`]: '',
    [`apps/b/node_modules/c/${name}`]: '',
    [`apps/.hidden/${name}`]: '',
    'apps/b/other.yaml': '',
    'apps/b/[x].yml': '',
    'empty/readme.md': '',
    'loop/self': ({ symlink }) => symlink('../loop'),
    [`loop/${name}`]: '',
    'loop/round.yaml': ({ symlink }) => symlink('./round.yaml'),
  });
});
afterAll(() => fixture.rm());

const find = (named: string[], folder = ''): string[] =>
  findManifests(named, fixture.getPath(folder)).map((file) => relative(fixture.path, file));

test.each<[what: string, named: string[], folder: string, files: string[]]>([
  ['the manifest in this folder', [], '', [name]],
  ['the nearest manifest in a parent folder', [], 'src/deep', [name]],
  ['a given file', ['apps/b/other.yaml'], '', ['apps/b/other.yaml']],
  ['all manifests in a folder', ['apps'], '', [`apps/a/${name}`, `apps/b/${name}`]],
  ['all manifests below this folder', ['.'], '', [`apps/a/${name}`, `apps/b/${name}`, `loop/${name}`, name]],
  ['a manifest in a given hidden folder', ['apps/.hidden'], '', [`apps/.hidden/${name}`]],
  ['a manifest only once', ['apps/a', `apps/a/${name}`, `./apps/a/${name}`], '', [`apps/a/${name}`]],
  ['files that match a star', [`apps/*/${name}`], '', [`apps/a/${name}`, `apps/b/${name}`]],
  ['files by two stars', ['**/*.yaml'], 'apps', [`apps/a/${name}`, `apps/b/other.yaml`, `apps/b/${name}`]],
  ['files that match two stars in the middle', [`apps/**/${name}`], '', [`apps/a/${name}`, `apps/b/${name}`]],
  ['files by two stars at the end, if no folder has a manifest', ['empty/**'], '', ['empty/readme.md']],
  ['the manifests in matches', ['{apps,empty}/*', 'apps/b/**'], '', [`apps/a/${name}`, `apps/b/${name}`]],
  ['files that match a question mark', [`apps/?/*.yml`], '', ['apps/b/[x].yml']],
  ['files that match braces', [`apps/{a,nosuch}/${name}`], '', [`apps/a/${name}`]],
  ['files in a hidden folder that the pattern includes', [`apps/.*/${name}`], '', [`apps/.hidden/${name}`]],
  ['files next to a link to itself, which is skipped', ['loop/*.yaml'], '', [`loop/${name}`]],
  ['a file with brackets in its name', ['apps/b/[x].yml'], '', ['apps/b/[x].yml']],
  ["files in a parent folder's subfolder", ['../apps/a/*.yaml'], 'src', [`apps/a/${name}`]],
])('finds %s', (_, named, folder, files) => {
  expect(find(named, folder)).toEqual(files);
});

test('accepts an absolute path as a pattern', () => {
  expect(find([fixture.getPath('apps/*/platform-*.yaml')], 'src')).toHaveLength(2);
});

test.each<[what: string, named: string[], folder: string, message: string, hint: string]>([
  ['a folder without a manifest', ['empty'], '', `No ${name} was found in "empty".`, 'skipped'],
  ['a pattern without matches', ['*.json'], '', 'No file matches "*.json".', 'skipped'],
  ['a typo', ['apps/b/othr.yaml'], '', 'File or folder not found: "apps/b/othr.yaml".', 'apps/b/other.yaml'],
  ['a link to itself', ['loop/round.yaml'], '', 'File or folder not found: "loop/round.yaml".', ''],
  ['a name that is too long', ['a'.repeat(300)], '', `File or folder not found: "${'a'.repeat(300)}".`, ''],
])('rejects %s as a usage error', (_, named, folder, message, hint) => {
  expect(() => find(named, folder)).toThrow(
    expect.objectContaining({
      name: 'UserError',
      message,
      ...(hint && { hint: expect.stringContaining(hint) }),
    }),
  );
});

test.each<[pattern: string, all: string[]]>([
  ['a', ['a']],
  ['{a,b}', ['a', 'b']],
  ['x{a,b{c,d}}y', ['xay', 'xbcy', 'xbdy']],
  ['{a}', ['{a}']],
  ['{a,}b', ['ab', 'b']],
])('expands the braces in %s to %j', (pattern, all) => {
  expect(expandBraces(pattern).sort()).toEqual(all.sort());
});

test.each<[what: string, named: string | undefined, folder: string, file: string | RegExp]>([
  ['in this or a parent folder by default', undefined, 'src/deep', name],
  ['in a folder, regardless of its subfolders', '.', '', name],
  ['if it is the only one below a folder', 'apps/a', '', `apps/a/${name}`],
  ['and rejects a folder with several', 'apps', '', /"apps" contains 2 integrations\./],
])('finds one manifest %s', (_, named, folder, file) => {
  const find = (): string => relative(fixture.path, findOneManifest(named, fixture.getPath(folder)));
  if (typeof file === 'string') expect(find()).toBe(file);
  else expect(find).toThrow(file);
});

test.each([
  [`apps\\*\\${name}`, [`apps/a/${name}`, `apps/b/${name}`]],
  [`.\\apps\\{a,x}\\*.yaml`, [`apps/a/${name}`]],
])('finds files that match %s on Windows', (pattern, files) => {
  const found = expandGlob(pattern, fixture.path, readFolder, win32);
  expect(found.map((file) => relative(fixture.path, file))).toEqual(files);
});

test.each([
  ['C:\\a\\*', 'C:/'],
  ['c:/a/*', 'c:/'],
  ['\\\\server\\share\\*', '//server/share/'],
  ['\\a*', '/'],
])('starts at the root of the drive for %s on Windows', (pattern, root) => {
  const read: string[] = [];
  expandGlob(
    pattern.replace('a\\', '').replace('a/', ''),
    '/cwd',
    (folder) => (read.push(folder), []),
    win32,
  );
  expect(read).toEqual([root]);
});
