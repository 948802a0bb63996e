import { expect, test } from 'vitest';
import { createSessionLines } from '../../../../src/cli/commands/dev/json-lines.js';
import type { SessionEvent } from '../../../../src/dev/index.js';
import type { Environment } from '../../../../src/protocol/environment.js';

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

test('prints the ready line first, and never drops a line', () => {
  const { types, ready, tell } = create(true);
  tell(reloaded);
  tell(broken('build'));
  expect(types).toEqual([]);
  ready({ type: 'ready' });
  tell(installed);
  expect(types).toEqual(['ready', 'reloaded', 'broken', 'installation']);
});

test('reports immediately why the platform cannot start', () => {
  const waiting = create(true);
  waiting.tell(broken('manifest'));
  expect(waiting.types).toEqual(['broken']);

  const inCi = create(false);
  inCi.tell(reloaded);
  inCi.tell(broken('build'));
  expect(inCi.types).toEqual(['reloaded', 'broken']);
  const loading = create(false);
  loading.tell({ type: 'broken-script', message: 'Error: No luck' });
  expect(loading.types).toEqual(['broken-script']);
});

test('prints a summary when a call begins and the full record when it ends', () => {
  const lines: unknown[] = [];
  const emit = (line: object): void => void lines.push(JSON.parse(JSON.stringify(line)));
  const { ready, tell } = createSessionLines({ emit, cwd: '/' }, true);
  const environment = { apiEndpoint: 'http://127.0.0.1:4100/api' } as Environment;
  const request = { method: 'GET', url: 'http://127.0.0.1:4100/x', headers: [] };
  const begun = { id: 'call_1', source: 'request', time: 1, version: 2 } as const;
  const rest = { requestBytes: 0, responseBytes: 2, logs: [], outbound: [] };
  const response = { status: 200, headers: [] };
  const entry = { ...begun, ...rest, request, response, durationMs: 3, outcome: 'ok' } as const;
  ready({ type: 'ready' });
  tell({ type: 'call-started', call: { ...entry, event: undefined, environment } });
  tell({ type: 'call-finished', call: { ...entry, event: undefined, environment } });
  expect(lines.slice(1)).toEqual([
    {
      type: 'call-started',
      call: { ...begun, type: 'envelope', method: 'GET', url: 'http://127.0.0.1:4100/x' },
    },
    { type: 'call-finished', call: { ...entry, severity: 'none' } },
  ]);
});
