import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { claimSession, findSession } from '../../src/dev/claim-session.js';
import { temporaryFolder } from '../support/temporary-folder.js';

let folder = '';
beforeEach(() => (folder = temporaryFolder()));

const claimant = (pid: number, alive: number[] = [], answering = alive) => ({
  pid,
  platformVersion: '0.2.0',
  token: `token-of-${pid}`,
  userId: process.geteuid?.(),
  isRunning: (other: number) => alive.includes(other),
  isAnswering: async (other: { pid: number }) => answering.includes(other.pid),
  mayBeSecond: false,
});

const machine = (running: boolean) => ({ userId: process.geteuid?.(), isRunning: () => running });

const at = (port: number) => ({
  origin: `http://127.0.0.1:${port}`,
  consoleOrigin: `http://127.0.0.1:${port + 40_000}`,
});

test('finds a session once it is announced, even from a subfolder', async () => {
  const claim = await claimSession(folder, claimant(1));
  expect(findSession(folder, machine(true))).toBeUndefined();
  claim.announce(at(4100));
  expect(findSession(join(folder, 'src/deep'), machine(true))).toEqual({
    version: 1,
    pid: 1,
    platformVersion: '0.2.0',
    token: 'token-of-1',
    ...at(4100),
  });
  claim.release();
  expect(findSession(folder, machine(true))).toBeUndefined();
});

test("rejects a second session and reports the first one's process and URL", async () => {
  (await claimSession(folder, claimant(1))).announce(at(4100));
  await expect(claimSession(folder, claimant(2, [1]))).rejects.toThrow(
    /already running in .* at http:\/\/127\.0\.0\.1:4100 \(process 1\)/,
  );
});

test('allows a second session if it stores no state', async () => {
  (await claimSession(folder, claimant(1))).announce(at(4100));
  const second = await claimSession(folder, { ...claimant(2, [1]), mayBeSecond: true });
  expect(second.first?.pid).toBe(1);
  second.announce(at(4101));
  expect(findSession(folder, machine(true))?.pid).toBe(1);
  expect(findSession('/', machine(true), second.file)).toMatchObject({ pid: 2, ...at(4101) });
  expect(findSession(folder, machine(false), second.file)).toBeUndefined();
  expect(statSync(second.file).mode & 0o777).toBe(0o600);
  second.release();
  expect(findSession(folder, machine(true), second.file)).toBeUndefined();
  expect(findSession(folder, machine(true))?.pid).toBe(1);
});

test('does not let a killed session remove the record of the session that replaced it', async () => {
  const killed = await claimSession(folder, claimant(1));
  killed.announce(at(4100));
  (await claimSession(folder, claimant(2))).announce(at(4101));
  killed.release();
  expect(findSession(folder, machine(true))?.pid).toBe(2);
});

test("does not mistake a process that reuses a killed session's process id for that session", async () => {
  (await claimSession(folder, claimant(1))).announce(at(4100));
  (await claimSession(folder, claimant(2, [1], []))).announce(at(4101));
  expect(findSession(folder, machine(true))?.pid).toBe(2);
});

test('rejects a second session even if the first one has no URL yet', async () => {
  await claimSession(folder, claimant(1));
  await expect(claimSession(folder, claimant(2, [1], []))).rejects.toThrow(
    /already running in .* \(process 1\)/,
  );
});

test('rewrites a .gitignore that was left empty by a full disk', async () => {
  mkdirSync(join(folder, '.platform'));
  writeFileSync(join(folder, '.platform/.gitignore'), '');
  await claimSession(folder, claimant(1));
  expect(readFileSync(join(folder, '.platform/.gitignore'), 'utf8')).toBe('*\n');
});

test('reports a file at the path where the session folder must be created', async () => {
  writeFileSync(join(folder, '.platform'), '');
  await expect(claimSession(folder, claimant(1))).rejects.toThrow(`${join(folder, '.platform')} is a file`);
});

test('does not find a session whose process has ended', async () => {
  (await claimSession(folder, claimant(1))).announce(at(4100));
  expect(findSession(folder, machine(false))).toBeUndefined();
});

test('starts even if a crash truncated the session file', async () => {
  await claimSession(folder, claimant(1));
  writeFileSync(join(folder, '.platform/session.json'), '{"version":1,"pi');
  (await claimSession(folder, claimant(2))).announce(at(4100));
  expect(findSession(folder, machine(true))?.pid).toBe(2);
});

test('lets only the owner read the session file, and hides its folder from Git', async () => {
  (await claimSession(folder, claimant(1))).announce(at(4100));
  expect(statSync(join(folder, '.platform/session.json')).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, '.platform')).mode & 0o777).toBe(0o700);
  expect(readFileSync(join(folder, '.platform/.gitignore'), 'utf8')).toBe('*\n');
});

test('does not use a session file that others can read', async () => {
  (await claimSession(folder, claimant(1))).announce(at(4100));
  chmodSync(join(folder, '.platform/session.json'), 0o644);
  expect(() => findSession(folder, machine(true))).toThrow('has mode 0644 instead of 0600');
});
