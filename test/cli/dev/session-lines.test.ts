import { expect, test } from 'vitest';
import { createSessionLines } from '../../../src/cli/dev/session-lines.js';
import type { SessionEvent } from '../../../src/dev/index.js';

const reloaded: SessionEvent = { type: 'reloaded', version: 1 };
const installed: SessionEvent = { type: 'installation', installation: 'i', change: 'installed' };
const broken = (what: 'manifest' | 'build'): SessionEvent => ({
  type: 'broken',
  what,
  diagnostics: [],
  sources: new Map(),
});

function create(waits: boolean) {
  const types: unknown[] = [];
  const emit = (line: object): void => void types.push('type' in line && line.type);
  return { types, ...createSessionLines({ emit, cwd: '/' }, waits) };
}

test('ready is the first line, and nothing is lost', () => {
  const { types, ready, tell } = create(true);
  tell(reloaded);
  tell(broken('build'));
  expect(types).toEqual([]);
  ready({ type: 'ready' });
  tell(installed);
  expect(types).toEqual(['ready', 'reloaded', 'broken', 'installation']);
});

test('what keeps it from being ready is told at once', () => {
  const waiting = create(true);
  waiting.tell(broken('manifest'));
  expect(waiting.types).toEqual(['broken']);

  const inCi = create(false);
  inCi.tell(reloaded);
  inCi.tell(broken('build'));
  expect(inCi.types).toEqual(['reloaded', 'broken']);
});
