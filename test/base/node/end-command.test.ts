import { expect, test } from 'vitest';
import { endCommand, endSilent } from '../../../src/base/node/end-command.js';

test('prints the command of the system that ends a process', () => {
  expect([endCommand(7, '', 'darwin'), endCommand(7, '', 'win32')]).toEqual([
    'kill 7',
    'taskkill /F /T /PID 7',
  ]);
  expect([endSilent(7, 'linux'), endSilent(7, 'win32')]).toEqual([
    'If it is suspended, resume it with "kill -CONT 7". Otherwise, end it with "kill -KILL 7".',
    'End it with "taskkill /F /T /PID 7".',
  ]);
});
