import { FSWatcher } from 'chokidar';
import { pinnedVersion } from '../../support/pinned-version.js';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { relative } from 'node:path';
import { createFixture } from 'fs-fixture';
import { expect, onTestFinished, test } from 'vitest';
import { watchFiles } from '../../../src/dev/reload/watch-files.js';

async function watching(files: Record<string, string>, paths: string[], heartbeatMs = 500) {
  const fixture = await createFixture(files);
  const stop = new AbortController();
  onTestFinished(async () => {
    stop.abort();
    await fixture.rm();
  });
  let reported: string[] = [];
  let wake = (): void => {};
  const watcher = watchFiles(
    paths.map((path) => fixture.getPath(path)),
    (changed) => {
      reported.push(...changed.map((path) => relative(fixture.path, path)));
      wake();
    },
    { signal: stop.signal, settleMs: 1, heartbeatMs },
  );
  const next = async (change: () => void): Promise<{ changed: string[] }> => {
    reported = [];
    change();
    if (reported.length === 0) await new Promise<void>((resolve) => (wake = resolve));
    return { changed: [...new Set(reported)].sort() };
  };
  const quiet = async (change: () => void, ms: number): Promise<string[]> => {
    reported = [];
    change();
    await new Promise((resolve) => setTimeout(resolve, ms));
    return reported;
  };
  return { path: (name: string) => fixture.getPath(name), next, quiet, stop, watcher };
}

const write = writeFileSync;

test('detects every file change through file events, without polling', async () => {
  const { path, next } = await watching({ 'project/m.yaml': 'a' }, ['project/m.yaml'], 3_600_000);
  const file = path('project/m.yaml');
  const steps: [what: string, change: () => void][] = [
    ['written', () => write(file, 'b')],
    ['appended', () => appendFileSync(file, 'c')],
    ['emptied', () => write(file, '')],
    ['replaced', () => (write(path('project/m.tmp'), 'd'), renameSync(path('project/m.tmp'), file))],
    ['written after that', () => write(file, 'e')],
    ['removed', () => rmSync(file)],
    ['made again', () => write(file, 'f')],
    ['written after that', () => write(file, 'g')],
    ['made unreadable', () => chmodSync(file, 0o000)],
    ['made readable', () => chmodSync(file, 0o644)],
    ['its folder renamed', () => renameSync(path('project'), path('elsewhere'))],
    ['its folder renamed back', () => renameSync(path('elsewhere'), path('project'))],
    ['written after that', () => write(file, 'h')],
    ['its folder removed', () => rmSync(path('project'), { recursive: true })],
    ['its folder made again', () => (mkdirSync(path('project')), write(file, 'i'))],
    ['written after that', () => write(file, 'j')],
    ['a folder in its place', () => (rmSync(file), mkdirSync(file))],
    ['a file again', () => (rmSync(file, { recursive: true }), write(file, 'k'))],
  ];
  for (const [what, change] of steps) {
    const { changed } = await next(change);
    expect(changed, what).toEqual(['project/m.yaml']);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
});

test('reports a watched file when its parent folder is renamed and restored', async () => {
  const { path, next } = await watching({ 'a/b/c/m.yaml': 'a' }, ['a/b/c/m.yaml']);
  expect((await next(() => renameSync(path('a'), path('x')))).changed).toEqual(['a/b/c/m.yaml']);
  expect((await next(() => renameSync(path('x'), path('a')))).changed).toEqual(['a/b/c/m.yaml']);
});

test('detects a new file in a folder that did not exist before', async () => {
  const { path, next } = await watching({}, ['assets/images/icon.png']);
  const { changed } = await next(() => {
    mkdirSync(path('assets/images'), { recursive: true });
    write(path('assets/images/icon.png'), 'x');
  });
  expect(changed).toEqual(['assets/images/icon.png']);
});

test('watches the file that a symlink points to', async () => {
  const { path, quiet, watcher } = await watching({ 'here/a.ts': '', 'there/m.yaml': 'a' }, ['here/a.ts']);
  symlinkSync(path('there/m.yaml'), path('here/m.yaml'));
  watcher.watch([path('here/m.yaml')]);
  await quiet(() => {}, 100);
  for (const text of ['b', 'c', 'd', 'e'])
    expect(await quiet(() => write(path('there/m.yaml'), text), 100)).toEqual(['here/m.yaml']);
});

test('ignores unwatched files in the same folder', async () => {
  const { path, quiet } = await watching({ 'm.yaml': 'a' }, ['m.yaml']);
  expect(await quiet(() => write(path('other.yaml'), 'x'), 100)).toEqual([]);
});

test('reports a burst of file changes only once', async () => {
  const { path, quiet } = await watching({ 'm.yaml': 'a', 'n.yaml': 'a' }, ['m.yaml', 'n.yaml']);
  const burst = (): void => {
    for (let i = 0; i < 50; i++) write(path(i % 2 ? 'm.yaml' : 'n.yaml'), `${i}`);
  };
  expect((await quiet(burst, 100)).sort()).toEqual(['m.yaml', 'n.yaml']);
});

test('reports entries added to or removed from a folder, but not changes to their contents', async () => {
  const { path, next, quiet } = await watching({ 'apps/a/m.yaml': 'a' }, ['apps']);
  expect((await next(() => mkdirSync(path('apps/b')))).changed).toEqual(['apps']);
  expect((await next(() => rmSync(path('apps/b'), { recursive: true }))).changed).toEqual(['apps']);
  expect(await quiet(() => write(path('apps/a/m.yaml'), 'b'), 100)).toEqual([]);
});

test('replaces the watched paths with new ones', async () => {
  const { path, next, quiet, watcher } = await watching({ 'a.ts': '', 'b.ts': '' }, ['a.ts']);
  watcher.watch([path('b.ts')]);
  expect(await quiet(() => write(path('a.ts'), 'x'), 100)).toEqual([]);
  expect((await next(() => write(path('b.ts'), 'x'))).changed).toEqual(['b.ts']);
});

test.each(['its signal aborts', 'it is stopped'])('stops watching files when %s', async (what) => {
  const { path, quiet, stop, watcher } = await watching({ 'a.ts': '' }, ['a.ts']);
  if (what === 'its signal aborts') stop.abort();
  else watcher.close();
  watcher.watch([path('a.ts')]);
  expect(await quiet(() => write(path('a.ts'), 'x'), 700)).toEqual([]);
});

test("requires a pinned chokidar version, because the watcher overrides one of chokidar's private methods", () => {
  expect(pinnedVersion('chokidar')).toMatch(/^\d+[.]\d+[.]\d+$/);
  expect(FSWatcher.prototype).toHaveProperty('_throttle');
});

test('uses little CPU time to detect a saved file among thousands of others', async () => {
  const others = Array.from({ length: 5_000 }, (_, n) => [`other-${n}`, ''] as const);
  const { path, next } = await watching({ ...Object.fromEntries(others), file: '' }, ['file']);
  const saves = 50;
  const before = process.cpuUsage();
  for (let n = 0; n < saves; n += 1) {
    await next(() => appendFileSync(path('file'), 'a'));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const { user, system } = process.cpuUsage(before);
  expect(user + system).toBeLessThan(1_000_000);
});
