import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { isOrphan } from '../../../src/sandbox/process/descendants.js';
import { endWindowsTree } from '../../../src/sandbox/process/end-tree.js';

test('ends a process on Windows with everything that it has started', () => {
  const ran: unknown[] = [];
  // No process has this id.
  endWindowsTree(0x7ffffffe, (...call) => ran.push(call));
  const argv = ['/PID', String(0x7ffffffe), '/T', '/F'];
  const program = 'C:\\Windows\\System32\\taskkill.exe';
  expect(ran).toEqual([[program, argv, { stdio: 'ignore', windowsHide: true }]]);
});

test("finds out that the parent has exited, although Windows keeps the parent's id", () => {
  const { pid: ended } = spawnSync(process.execPath, ['--version']);
  const { kill, ppid } = process;
  const found = [
    [ended, ended],
    [ppid, ppid],
    [ppid, 1],
  ].map(([parent = 0, now = 0]) => isOrphan(parent, { ppid: now, kill }));
  expect(found).toEqual([true, false, true]);
});
