import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { devHere } from '../support/dev-here.js';
import { runCli } from '../support/run-cli.js';
import { fillDisk, smallDisk } from '../support/small-disk.js';

const fixture = fileURLToPath(new URL('../fixtures/projects/author', import.meta.url));
const root = fileURLToPath(new URL('../..', import.meta.url));
const full = /could not be written\. The disk may be full\./;

/** A project on a disk of two megabytes; nothing where no disk can be mounted. */
function projectOnSmallDisk(): string | undefined {
  const folder = smallDisk(2);
  if (folder !== undefined) cpSync(fixture, folder, { recursive: true });
  return folder;
}

test('reports a full disk and continues once space is available again', async ({ skip }) => {
  const folder = projectOnSmallDisk();
  if (folder === undefined) return skip();
  const dev = devHere(folder, ['--port', '0', '--state', 'disk'], { columns: 200 });
  onTestFinished(() => void dev.stop());
  await dev.prints(/site_installation_setup/);
  const endpoint = /Public\s+(\S+)/.exec(dev.text())?.[1] ?? '';
  fillDisk(folder);
  const body = new Uint8Array(700_000);
  for (let n = 0; n < 4; n += 1)
    expect((await fetch(`${endpoint}/hash`, { method: 'POST', body })).status).toBe(200);
  await dev.prints(new RegExp(`warning .*${full.source}`));
  const refused = await runCli(['logs'], { cwd: folder });
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(full)]);
  expect(refused.stderr).toContain('Free some space.');

  for (let n = 0; n < 8; n += 1) rmSync(join(folder, `filler-${n}`), { force: true });
  await expect.poll(async () => (await runCli(['logs'], { cwd: folder })).code).toBe(0);
  expect((await fetch(endpoint)).status).toBe(200);
}, 60_000);

test('explains why the platform cannot start on a full disk', async ({ skip }) => {
  const folder = projectOnSmallDisk();
  if (folder === undefined) return skip();
  fillDisk(folder);
  writeFileSync(join(folder, 'last'), '');
  try {
    for (;;) writeFileSync(join(folder, 'last'), new Uint8Array(4096), { flag: 'a' });
  } catch {
    // Full to the last page.
  }
  const { code, stderr } = await devHere(folder, ['--port', '0', '--state', 'disk']).ended;
  expect([code, stderr]).toEqual([2, expect.stringMatching(/disk is full|disk may be full/)]);
  expect(stderr).toContain('Free some space');
  expect(stderr).toContain(join(folder, '.platform'));
}, 60_000);

const init = ['init', '.', '--template', 'block', '--organization', 'acme'];

test('creates a project in a folder that is a mount point', async ({ skip }) => {
  const folder = smallDisk(2);
  if (folder === undefined) return skip();
  const { code, stderr } = await runCli(init, { cwd: folder });
  expect([code, stderr]).toEqual([0, '']);
  expect(readdirSync(folder)).toContain('platform-manifest.yaml');
  expect(readdirSync(folder).filter((name) => name.includes('unfinished'))).toEqual([]);
  expect(readdirSync(dirname(folder))).toEqual(['disk']);
});

test('leaves no files behind if a new project does not fit on the disk', async ({ skip }) => {
  const folder = smallDisk(2);
  if (folder === undefined) return skip();
  mkdirSync(join(folder, 'here'));
  fillDisk(folder);
  const before = readdirSync(folder);
  const { code, stderr } = await runCli(init, { cwd: join(folder, 'here') });
  expect([code, stderr]).toEqual([2, expect.stringContaining('The disk is full.')]);
  expect(readdirSync(join(folder, 'here'))).toEqual([]);
  expect(readdirSync(folder)).toEqual(before);
});

test.each([['.'], ['new']])('reports a read-only disk for init %s', async (name) => {
  const folder = smallDisk(2, ',ro');
  if (folder === undefined) return;
  const { code, stderr } = await runCli(init.with(1, name), { cwd: folder });
  expect([code, stderr]).toEqual([2, expect.stringContaining('The file system is read-only.')]);
});

test('reports a read-only disk for dev, even if its state is in memory', async ({ skip }) => {
  const folder = projectOnSmallDisk();
  if (folder === undefined) return skip();
  spawnSync('mount', ['-o', 'remount,ro', folder]);
  const { code, stderr } = await devHere(folder, ['--port', '0']).ended;
  expect([code, stderr]).toEqual([2, expect.stringContaining('The disk is read-only.')]);
  expect(stderr).toContain(join(folder, '.platform'));
});

test('leaves no partial file behind if a packed submission does not fit on the disk', async ({ skip }) => {
  const folder = projectOnSmallDisk();
  if (folder === undefined) return skip();
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  fillDisk(folder);
  const before = readdirSync(folder);
  const { code, stderr } = await runCli(['publish-check', '--pack', 'out.tgz', '--force'], { cwd: folder });
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining(`${join(folder, 'out.tgz')} could not be written. The disk is full.`),
  ]);
  expect(readdirSync(folder)).toEqual(before);
});
