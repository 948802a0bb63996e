import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/base/clock.js';
import { openContent, type Content, type Revision, type SyncedRevision } from '../../src/content/index.js';
import { temporaryFolder } from '../support/temporary-folder.js';

let root: string;

beforeEach(() => {
  root = temporaryFolder();
});

const git = (...args: string[]): string =>
  execFileSync('git', ['-c', 'core.hooksPath=/dev/null', '-c', 'protocol.file.allow=always', ...args], {
    cwd: root,
    encoding: 'utf8',
    stdio: 'pipe',
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null', ...author },
  }).trim();
const author = {
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
};
const put = (path: string, text: string): void => writeFileSync(join(root, path), text);

/** A repository with two branches: `docs/page.md` is "first" on main and "other" on other. */
function repository(): void {
  git('init', '-q', '-b', 'main');
  mkdirSync(join(root, 'docs'));
  put('docs/page.md', '# first');
  git('add', '.');
  git('commit', '-qm', 'First');
  git('checkout', '-qb', 'other');
  put('docs/page.md', '# other');
  git('commit', '-qam', 'Other');
  git('checkout', '-q', 'main');
}

interface Seen {
  content: Content;
  revisions: Revision[];
  syncs: SyncedRevision[];
}

async function open(folder = 'docs'): Promise<Seen> {
  const ids = { read: () => ({}), write: () => {} };
  const content = openContent({ folder: join(root, folder), spaceId: 's', clock: systemClock, ids });
  onTestFinished(content.close);
  await content.ready;
  const seen: Seen = { content, revisions: [], syncs: [] };
  content.subscribe((revision) => seen.revisions.push(revision));
  content.subscribeToSyncs((revision) => seen.syncs.push(revision));
  return seen;
}

it('adds a commit to the current revision instead of creating a new one', async () => {
  repository();
  const { content, revisions, syncs } = await open();
  put('docs/page.md', '# second');
  await content.look();
  git('commit', '-qam', 'Second: with a colon');
  await content.look();
  expect(revisions).toHaveLength(1);
  const commit = { oid: git('rev-parse', 'HEAD'), message: 'Second: with a colon', createdByPlatform: true };
  expect(syncs).toMatchObject([{ id: revisions[0]?.id, git: commit }]);
  expect(content.revision().git).toEqual(commit);
});

it('reports a commit even if it is detected at the same time as the edit', async () => {
  repository();
  const { content, revisions, syncs } = await open();
  put('docs/page.md', '# second');
  git('commit', '-qam', 'Second');
  await content.look();
  expect(revisions).toMatchObject([{ changes: [{ type: 'page_edited' }] }]);
  expect(revisions[0]?.git).toBeUndefined();
  expect(syncs).toHaveLength(1);
});

it('does not report a commit that changes no pages', async () => {
  repository();
  const { content, syncs } = await open();
  await content.sync();
  put('other.txt', 'x');
  git('add', '.');
  git('commit', '-qm', 'Not the docs');
  await content.look();
  expect(syncs).toHaveLength(1);
});

it('creates a revision with the commit after a checkout', async () => {
  repository();
  const { content, revisions, syncs } = await open();
  git('checkout', '-q', 'other');
  await content.look();
  expect(revisions).toMatchObject([
    { git: { oid: git('rev-parse', 'HEAD'), message: 'moving from main to other' } },
  ]);
  expect(revisions[0]?.git?.createdByPlatform).toBeUndefined();
  expect(syncs).toEqual([]);
});

it('creates a revision with the commit after a pull', async () => {
  repository();
  const { content, revisions } = await open();
  git('pull', '-q', '--ff-only', '.', 'other');
  await content.look();
  expect(revisions).toMatchObject([{ git: { oid: git('rev-parse', 'other') } }]);
});

it('reports the current revision with the checked-out commit', async () => {
  repository();
  const { content, syncs } = await open();
  const { git: commit } = await content.sync();
  expect(commit.oid).toBe(git('rev-parse', 'HEAD'));
  expect(syncs).toMatchObject([{ id: content.revision().id }]);
});

it('derives the commit id from the pages if there is no repository', async () => {
  put('page.md', 'x');
  const { content } = await open('.');
  const { git: commit } = await content.sync();
  expect(commit).toMatchObject({ oid: expect.stringMatching(/^[0-9a-f]{40}$/), message: 'Sync' });
});

it('finds the Git folder of a worktree', async () => {
  repository();
  git('worktree', 'add', '-q', 'tree', 'other');
  const { content, revisions } = await open('tree/docs');
  git('-C', 'tree', 'checkout', '-q', '--detach', 'main');
  await content.look();
  expect(revisions).toMatchObject([{ git: { oid: git('rev-parse', 'main') } }]);
});

it('finds the Git folder of a submodule with packed refs', async () => {
  repository();
  git('init', '-q', 'above');
  git('-C', 'above', 'submodule', '--quiet', 'add', root, 'sub');
  git('pack-refs', '--all');
  const { content, revisions } = await open('above/sub/docs');
  git('-C', 'above/sub', 'checkout', '-q', '--detach', 'origin/other');
  await content.look();
  expect(revisions).toMatchObject([{ git: { oid: git('rev-parse', 'other') } }]);
});

it('ignores a .git file that points to another repository', async () => {
  repository();
  mkdirSync(join(root, 'copied'));
  put('copied/page.md', 'x');
  put('copied/.git', `gitdir: ${join(root, 'elsewhere/.git')}\n`);
  git('init', '-q', 'elsewhere');
  const { content } = await open('copied');
  expect(content.gitFolder).toBeUndefined();
});

it('does not read the Git folder through a symlink', async () => {
  repository();
  mkdirSync(join(root, 'copied'));
  put('copied/page.md', 'x');
  symlinkSync(join(root, '.git'), join(root, 'copied/.git'));
  const { content } = await open('copied');
  expect(content.gitFolder).toBeUndefined();
});

it('reads only part of the Git log, and never through a symlink', async () => {
  repository();
  const log = join(root, '.git/logs/HEAD');
  const { content, syncs } = await open();
  writeFileSync(log, `${'x'.repeat(200_000)}\n${readFileSync(log, 'utf8')}`);
  put('docs/page.md', '# second');
  git('commit', '-qam', 'Second');
  await content.look();
  expect(syncs).toHaveLength(1);
  rmSync(log);
  symlinkSync('/etc/hostname', log);
  expect((await content.sync()).git.message).toBe('Sync');
});
