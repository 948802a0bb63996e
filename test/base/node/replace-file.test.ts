import { chmodSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createFixture } from 'fs-fixture';
import { expect, test } from 'vitest';
import { renameOver, replaceFile } from '../../../src/base/node/replace-file.js';

test("replaces a file's content, keeps its mode and leaves no temporary files behind", async () => {
  await using fixture = await createFixture({ 'm.yaml': 'old' });
  chmodSync(fixture.getPath('m.yaml'), 0o640);
  replaceFile(fixture.getPath('m.yaml'), 'new');
  expect(readFileSync(fixture.getPath('m.yaml'), 'utf8')).toBe('new');
  expect(statSync(fixture.getPath('m.yaml')).mode & 0o777).toBe(0o640);
  expect(readdirSync(fixture.path)).toEqual(['m.yaml']);
});

test('writes to the target of a symlink instead of replacing the symlink', async () => {
  await using fixture = await createFixture({
    'real.yaml': 'old',
    'm.yaml': (at) => at.symlink('real.yaml'),
  });
  replaceFile(fixture.getPath('m.yaml'), 'new');
  expect(lstatSync(fixture.getPath('m.yaml')).isSymbolicLink()).toBe(true);
  expect(readFileSync(fixture.getPath('real.yaml'), 'utf8')).toBe('new');
});

test('creates a missing file with the given mode', async () => {
  await using fixture = await createFixture();
  replaceFile(fixture.getPath('.env'), 'SECRET=1', 0o600);
  expect(readFileSync(fixture.getPath('.env'), 'utf8')).toBe('SECRET=1');
  expect(statSync(fixture.getPath('.env')).mode & 0o777).toBe(0o600);
});

test('leaves the old file unchanged if the write fails, and reports its path', async () => {
  await using fixture = await createFixture({ 'm.yaml': {} });
  const path = fixture.getPath('m.yaml');
  expect(() => replaceFile(path, 'new')).toThrow(expect.objectContaining({ path }) as Error);
  expect(readdirSync(fixture.path)).toEqual(['m.yaml']);
});

test.each([
  ['tries again while a file is in use on Windows', true, 'EBUSY', 3, 4],
  ['gives up on Windows if the file stays in use', true, 'EPERM', 9, 7],
  ['reports another error on Windows at once', true, 'ENOSPC', 1, 1],
  ['reports an error on other systems at once', false, 'EPERM', 1, 1],
])('%s', (_, isWindows, code, failures, attempts) => {
  let tried = 0;
  const rename = (): void => {
    tried += 1;
    if (tried <= failures) throw Object.assign(new Error(code), { code });
  };
  const run = (): void => renameOver('a', 'b', { rename, wait: () => {}, isWindows });
  if (failures < attempts) run();
  else expect(run).toThrow(code);
  expect(tried).toBe(attempts);
});
