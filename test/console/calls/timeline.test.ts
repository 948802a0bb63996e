import { expect, it } from 'vitest';
import { timelineOf } from '../../../src/console/calls/detail/timeline.js';
import type { CallRecord } from '../../../src/contract/routes/calls.js';
import { callEntry } from '../../support/call-entry.js';

const entry = (more: Partial<CallRecord>): CallRecord => ({
  ...(callEntry('call_1', { source: 'request', time: 1000 }) as CallRecord),
  severity: 'none',
  durationMs: 100,
  ...more,
});

/** Long after the call. */
const later = 1_000_000;

const lines = (given: CallRecord): string[] =>
  timelineOf(given, later).rows.map(({ kind, label, start, length, failed, open, note }) =>
    [kind, label, start, length, failed ? 'failed' : undefined, open ? 'open' : undefined, note]
      .filter((part) => part !== undefined)
      .join(' '),
  );

it('lists everything that happened during a call in chronological order', () => {
  const outbound = {
    method: 'GET',
    url: 'http://127.0.0.1:4000/health?deep=1',
    status: 0,
    error: 'fetch failed: connect ECONNREFUSED 127.0.0.1:4000',
    durationMs: 20,
    requestBytes: 0,
    responseBytes: 0,
    time: 1010,
  };
  const given = entry({
    request: { method: 'GET', url: 'http://127.0.0.1:4100/v1/integrations/sample/hook?a=1', headers: [] },
    response: { status: 200, headers: [] },
    headMs: 80,
    logs: [
      { level: 'info', text: 'began\nmore', time: 1005 },
      { level: 'error', text: 'late', time: 1400 },
    ],
    outbound: [outbound],
    background: [{ time: 1070, durationMs: 330, error: 'locked' }],
    effects: [
      { type: 'task', time: 1040, id: 'task_1', title: 'sync', dueAt: 61_040 },
      { type: 'delivery', time: 1000, id: '7' },
      { type: 'replay', time: 90_000, call: 'call_2' },
    ],
  });
  expect(lines(given)).toEqual([
    'script GET /hook?a=1 0 100',
    'delivery Webhook delivery 7 0',
    'log began 5',
    'outbound GET 127.0.0.1:4000/health 10 20 failed fetch failed: connect ECONNREFUSED 127.0.0.1:4000',
    'task Task sync 40 due in 60 s',
    'waitUntil Background work 70 330 failed locked',
    'response Response 200 80 20',
    'log late 400 failed',
  ]);
  expect(timelineOf(given, later).end).toBe(400);
});

it("shows a call's unfinished steps, and reports how many log lines are omitted", () => {
  const running = entry({
    outcome: 'running',
    background: [{ time: 1020 }],
    logs: Array.from({ length: 50 }, (_, n) => ({ level: 'info', text: `line ${n}`, time: 1000 + n })),
  });
  delete running.durationMs;
  const { rows, end, hiddenLogs } = timelineOf(running, 1500);
  // The axis ends at the current time, not at the last step.
  expect([end, hiddenLogs]).toEqual([500, 10]);
  expect(rows[0]).toMatchObject({ kind: 'script', open: true, length: 500 });
  expect(rows.find(({ kind }) => kind === 'waitUntil')).toMatchObject({
    open: true,
    start: 20,
    length: 480,
    note: 'not settled',
  });
});

it('extends an unfinished response to the current time in the timeline', () => {
  const streaming = entry({ outcome: 'running', response: { status: 200, headers: [] }, headMs: 20 });
  delete streaming.durationMs;
  expect(timelineOf(streaming, 1100).rows.at(-1)).toMatchObject({
    kind: 'response',
    start: 20,
    length: 80,
    open: true,
  });
});

it("does not repeat the message that the call's header shows", () => {
  const failed = entry({
    severity: 'error',
    reason: 'waitUntil failed: Error: The index is locked. (and 1 more)',
    failure: { message: 'waitUntil failed: Error: The index is locked.' },
    logs: [
      {
        level: 'error',
        text: 'A promise passed to waitUntil was rejected: Error: The index is locked.\n    at fetch (src/a.ts:1:2)',
        time: 1010,
      },
      { level: 'error', text: 'Error: another', time: 1020 },
    ],
    background: [{ time: 1005, durationMs: 5, error: 'The index is locked.' }],
  });
  expect(lines(failed)).toEqual([
    'script The script 0 100',
    'waitUntil Background work 5 5 failed see above',
    'log see above 10 failed',
    'log Error: another 20 failed',
  ]);
});
