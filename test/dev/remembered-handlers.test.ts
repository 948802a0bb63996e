import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { createRememberedHandlers } from '../../src/dev/remembered-handlers.js';
import { temporaryFolder, writeFiles } from '../support/temporary-folder.js';

const ids = { components: [], contentSources: [], events: ['space_view'], eventKeys: ['space_view'] };
let folder: string;
let file: string;

beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder, 'handlers.json');
  writeFiles(folder, { 'index.ts': 'one', 'lib.ts': 'two', 'manifest.yaml': 'name: a' });
});

const open = ({ named = ['index.ts'], platformVersion = '1.0.0', ...changed } = {}) =>
  createRememberedHandlers({
    file,
    userId: process.getuid?.(),
    platformVersion,
    around: () => ({ read: [join(folder, 'manifest.yaml')], named }),
    ...changed,
  });
const adopt = (): ReturnType<typeof open> => {
  const handlers = open();
  handlers.adopt(
    ['index.ts', 'lib.ts', 'gone.json'].map((name) => join(folder, name)),
    ids,
  );
  return handlers;
};

test('recalls the handlers in the next session, and what the script rejected', () => {
  expect([open().ids(), open().lack('site_view')]).toEqual([undefined, false]);
  adopt().learn('task');
  const next = open();
  expect(next.ids()).toEqual(ids);
  // Handlers of tasks are not in `events`.
  expect(['site_view', 'space_view', 'task', 'fetch'].map(next.lack)).toEqual([true, false, true, false]);
  // The same build keeps what was learned, and another one forgets it.
  expect(adopt().lack('task')).toBe(true);
  writeFileSync(join(folder, 'lib.ts'), 'three');
  expect(adopt().lack('task')).toBe(false);
});

test.each<[string, () => Parameters<typeof open>[0] | void]>([
  ['a file of the build changes', () => writeFileSync(join(folder, 'lib.ts'), 'three')],
  ['a file of the build disappears', () => rmSync(join(folder, 'lib.ts'))],
  ['a missing file appears', () => writeFileSync(join(folder, 'gone.json'), '')],
  ['the manifest changes', () => writeFileSync(join(folder, 'manifest.yaml'), 'name: b')],
  ['text moves to another file', () => writeFiles(folder, { 'index.ts': 'onet', 'lib.ts': 'wo' })],
  ['a file appears beside the script', () => ({ named: ['index.ts', 'index.js'] })],
  ['the platform has another version', () => ({ platformVersion: '1.0.1' })],
  ['what is stored is damaged', () => writeFileSync(file, '{"files":')],
  ['what is stored is no object', () => writeFileSync(file, 'null')],
])('recalls nothing if %s', (_, change) => {
  adopt();
  const next = open(change() ?? {});
  expect([next.ids(), next.lack('site_view')]).toEqual([undefined, false]);
});

test('works without a file that it can write', () => {
  file = join(folder, 'no-such-folder/handlers.json');
  expect(adopt().lack('site_view')).toBe(true);
  expect(open().lack('site_view')).toBe(false);
});
