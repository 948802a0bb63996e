import { expect, test } from 'vitest';
import { endWindowsTree } from '../../../src/sandbox/process/end-tree.js';

test('ends a process on Windows with everything that it has started', () => {
  const ran: unknown[] = [];
  // No process has this id.
  endWindowsTree(0x7ffffffe, (...call) => ran.push(call));
  const argv = ['/PID', String(0x7ffffffe), '/T', '/F'];
  const program = 'C:\\Windows\\System32\\taskkill.exe';
  expect(ran).toEqual([[program, argv, { stdio: 'ignore', windowsHide: true }]]);
});
