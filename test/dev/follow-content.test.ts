import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createVirtualClock, systemClock, type SystemClock } from '../../src/base/clock.js';
import { openContent, type Revision, type SyncedRevision } from '../../src/content/index.js';
import { followContent, type FollowOptions } from '../../src/dev/follow-content.js';
import { watchFolders } from '../../src/dev/reload/watch-folders.js';
import { temporaryFolder } from '../support/temporary-folder.js';

let folder: string;
let closing: AbortController;

beforeEach(() => {
  folder = temporaryFolder();
  writeFileSync(join(folder, 'a.md'), 'A');
  mkdirSync(join(folder, '.git'));
  closing = new AbortController();
});

afterEach(() => {
  closing.abort();
});

const write = (path: string, text: string): void => writeFileSync(join(folder, path), text);

async function follow(
  clock: SystemClock,
  watch: FollowOptions['watch'],
  syncs: SyncedRevision[] = [],
): Promise<Revision[]> {
  const ids = { read: () => ({}), write: () => {} };
  const content = openContent({ folder, spaceId: 's', clock, ids });
  const revisions: Revision[] = [];
  content.subscribe((revision) => revisions.push(revision));
  content.subscribeToSyncs((revision) => syncs.push(revision));
  void followContent(content, { timers: clock, signal: closing.signal, watch });
  await content.ready;
  return revisions;
}

/** Emits file events from the test. */
async function followByHand(): Promise<{
  raise(path?: string): void;
  revisions: Revision[];
  syncs: SyncedRevision[];
  clock: ReturnType<typeof createVirtualClock>;
}> {
  const clock = createVirtualClock();
  let raise: (folder: string) => void = () => {};
  const syncs: SyncedRevision[] = [];
  const byHand: FollowOptions['watch'] = (onEvent) => {
    raise = onEvent;
    return { watch: () => {}, close: () => {} };
  };
  const revisions = await follow(clock, byHand, syncs);
  await clock.advance(0);
  return { raise: (path = '') => raise(join(folder, path)), revisions, syncs, clock };
}

it('creates a single revision once no file has changed for 300 ms', async () => {
  const { raise, revisions, clock } = await followByHand();
  for (const text of ['1', '2', '3']) {
    write('a.md', text);
    raise();
    await clock.advance(200);
  }
  expect(revisions).toHaveLength(0);
  await clock.advance(400);
  await vi.waitFor(() => expect(revisions).toHaveLength(1));
  expect(revisions[0]?.changes).toMatchObject([{ type: 'page_edited' }]);
});

it('waits 300 ms after the last file event, even if the events from a single save arrive in two ticks', async () => {
  const { raise, revisions, clock } = await followByHand();
  write('a.md', 'changed');
  raise();
  await clock.advance(2);
  raise();
  await clock.advance(299);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(revisions).toHaveLength(0);
  await clock.advance(1);
  await vi.waitFor(() => expect(revisions).toHaveLength(1));
});

it('scans only folders with file events until the next full scan', async () => {
  mkdirSync(join(folder, 'b'));
  write('b/b.md', 'B');
  const { raise, revisions, clock } = await followByHand();
  write('a.md', 'changed');
  write('b/b.md', 'changed');
  raise('b');
  await clock.advance(400);
  await vi.waitFor(() => expect(revisions).toHaveLength(1));
  expect(revisions[0]?.changes).toMatchObject([{ page: { path: 'b/b' } }]);
  await clock.advance(5000);
  await vi.waitFor(() => expect(revisions).toHaveLength(2));
  expect(revisions[1]?.changes).toMatchObject([{ page: { path: 'a' } }]);
});

it('scans all folders every 10 seconds, even while file events keep arriving', async () => {
  mkdirSync(join(folder, 'b'));
  const { raise, revisions, clock } = await followByHand();
  write('a.md', 'changed');
  for (let nth = 0; nth < 12; nth += 1) {
    raise('b');
    await clock.advance(1000);
    await vi.waitFor(() => expect(clock.waiting().count).toBeGreaterThan(0));
  }
  expect(revisions).toHaveLength(1);
});

it('does not scan the folder while Git is changing it', async () => {
  const { raise, revisions, clock } = await followByHand();
  write('.git/index.lock', '');
  for (let nth = 0; nth < 20; nth += 1) {
    write(`page-${nth}.md`, 'new');
    raise();
    await clock.advance(400);
  }
  expect(revisions).toHaveLength(0);
  rmSync(join(folder, '.git/index.lock'));
  await clock.advance(700);
  await vi.waitFor(() => expect(revisions).toHaveLength(1));
  expect(revisions[0]?.changes).toHaveLength(20);
});

it('waits at most 15 seconds for a stale Git lock', async () => {
  const { raise, revisions, clock } = await followByHand();
  write('.git/index.lock', '');
  write('a.md', 'changed');
  raise();
  await clock.advance(16_000);
  await vi.waitFor(() => expect(revisions).toHaveLength(1));
});

it('detects a change within 5 seconds even if it triggers no file event', async () => {
  const { revisions, clock } = await followByHand();
  write('a.md', 'changed');
  await clock.advance(5000);
  await vi.waitFor(() => expect(revisions).toHaveLength(1));
});

it('checks a page twice before treating the page as empty', async () => {
  const { raise, revisions, clock } = await followByHand();
  write('a.md', '');
  raise();
  await clock.advance(350);
  expect(revisions).toHaveLength(0);
  await clock.advance(1000);
  await vi.waitFor(() => expect(revisions).toHaveLength(1));
});

it('detects changes in real folders, including new ones', async () => {
  const revisions = await follow(systemClock, watchFolders);
  write('a.md', 'changed');
  await vi.waitFor(() => expect(revisions).toHaveLength(1), 4000);
  mkdirSync(join(folder, 'new'));
  write('new/b.md', 'b');
  await vi.waitFor(() => expect(revisions).toHaveLength(2), 4000);
  renameSync(join(folder, 'new/b.md'), join(folder, 'new/c.md'));
  await vi.waitFor(() => expect(revisions[2]?.changes).toMatchObject([{ type: 'page_edited' }]), 4000);
});

it('detects a commit from the Git log', async () => {
  const { raise, syncs, clock } = await followByHand();
  mkdirSync(join(folder, '.git/logs'));
  const [before, after] = ['0'.repeat(40), 'a'.repeat(40)];
  write('.git/logs/HEAD', `${before} ${after} Ada <ada@example.com> 1 +0000\tcommit: Start\n`);
  raise('.git/logs');
  await clock.advance(400);
  await vi.waitFor(() => expect(syncs).toMatchObject([{ git: { oid: after, message: 'Start' } }]));
});
