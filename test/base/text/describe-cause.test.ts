import { expect, test } from 'vitest';
import { describeCause } from '../../../src/base/text/describe-cause.js';

test.each<[text: string, cause: Parameters<typeof describeCause>[0]]>([
  ['the configuration was changed by', { type: 'setup', call: 'call_1' }],
  ['the integration was installed', { type: 'setup', change: 'installed' }],
  ['replay of', { type: 'replay', call: 'call_1' }],
  ['action rendered by no recorded call', { type: 'render' }],
  ['task tsk_1, not queued by a recorded call', { type: 'task', task: 'tsk_1' }],
  ['task queued by', { type: 'task', task: 'tsk_1', call: 'call_1' }],
  ['the console, to show the block', { type: 'display' }],
])('describes a cause: %s', (text, cause) => {
  expect(describeCause(cause)).toBe(text);
});
