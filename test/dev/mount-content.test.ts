import { mkdirSync, symlinkSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from '../../src/base/clock.js';
import { createMount } from '../../src/dev/mount-content.js';
import { findOwnFolder, homeFolders } from '../../src/dev/settings/own-folder.js';
import { parseDevSettings } from '../../src/manifest/index.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** A home folder with a repository, which contains the project, and a folder with secrets. */
let home: string;
let project: string;
beforeEach(() => {
  home = temporaryFolder();
  project = join(home, 'repository/project');
  for (const path of [
    '.ssh',
    'other',
    'repository/.git/hooks',
    'repository/guide',
    'repository/project/docs',
    'repository/project/.cache/pages',
  ])
    mkdirSync(join(home, path), { recursive: true });
});

const own = (path: string): string | undefined => findOwnFolder(project, join(project, path), [home]);
const link = (target: string, path: string): void => symlinkSync(target, join(project, path));

async function mount(content?: string, contentFolder?: string): Promise<readonly string[]> {
  const text = `spaces:\n  - id: space_a\n    title: A\n${content === undefined ? '' : `    content: ${content}\n`}`;
  const loaded = parseDevSettings(text);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.diagnostics));
  const options = {
    folder: project,
    contentFolder,
    clock: systemClock,
    timers: systemClock,
  } as unknown as Parameters<typeof createMount>[0];
  const made = await createMount(options, loaded.value, [{ blocks: [] }] as never, () => {});
  made.close();
  return made.mounted;
}

test('lets a project choose folders in the project and its repository', () => {
  link('../guide', 'linked');
  expect([own('.'), own('docs'), own('../guide'), own('linked')]).toEqual([
    project,
    join(project, 'docs'),
    join(home, 'repository/guide'),
    join(home, 'repository/guide'),
  ]);
});

test('rejects folders outside the repository, and hidden ones', () => {
  link('../../.ssh', 'away');
  link('away', 'twice');
  link('.cache', 'visible');
  for (const path of [
    '../../other',
    '../../.ssh',
    '../..',
    'away',
    'twice',
    'docs/../../../other',
    '../.git',
    '../.git/hooks',
    '.cache',
    '.cache/pages',
    'visible/pages',
  ])
    expect(own(path), path).toBeUndefined();
});

test('does not count a repository at or above the home folder', () => {
  mkdirSync(join(home, '.git'));
  const loose = join(home, 'other');
  expect(findOwnFolder(loose, join(home, 'repository/guide'), [home])).toBeUndefined();
  expect(findOwnFolder(loose, join(home, 'repository/guide'), ['/no', join(home, 'other')])).toBeUndefined();
  expect(findOwnFolder(loose, join(home, 'repository/guide'), ['/nowhere'])).toBeDefined();
  vi.stubEnv('HOME', '/nowhere');
  expect(homeFolders()).toEqual(['/nowhere', userInfo().homedir]);
  vi.unstubAllEnvs();
});

test('rejects a folder of a settings file or a linked docs folder, unless --content specifies it', async () => {
  const outside = join(home, 'other');
  for (const content of ['../../other', outside])
    await expect(mount(content)).rejects.toMatchObject({ code: 'content-outside' });
  expect(await mount('../guide')).toEqual([join(home, 'repository/guide')]);
  expect(await mount()).toEqual([join(project, 'docs')]);
  expect(await mount('../../other', outside)).toEqual([outside]);
});
