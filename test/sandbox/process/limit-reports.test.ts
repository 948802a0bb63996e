import { expect, test } from 'vitest';
import { limitOutput } from '../../../src/sandbox/process/limit-reports.js';

const outbound = { method: 'GET', status: 200, durationMs: 1, requestBytes: 0, responseBytes: 0, time: 1 };

/** Reports this many of one call, and counts what passed and what was said about the rest. */
function report(count: number, length: number) {
  const seen = { lines: 0, requests: 0, notices: [] as string[] };
  const output = limitOutput(
    {
      log: ({ level, text }) => (level === 'warn' ? seen.notices.push(text) : (seen.lines += 1)),
      outbound: () => (seen.requests += 1),
      background: () => {},
    },
    () => 0,
  );
  const callId = 'call_1';
  output.begin(callId);
  for (let at = 0; at < count; at += 1) {
    output.log({ callId, level: 'info', text: 'a'.repeat(length), time: 1 });
    output.outbound({ ...outbound, callId, url: 'a'.repeat(length) });
  }
  return seen;
}

const notices = [
  '… more lines dropped: too much output in a short time',
  '… more outbound requests dropped: too much output in a short time',
];

test.each([
  ['a few reports', 10, 100, { lines: 10, requests: 10, notices: [] }],
  ['too many reports', 5000, 10, { lines: 2000, requests: 2000, notices }],
  ['large reports', 100, 64 * 1024, { lines: 8, requests: 8, notices }],
])(
  'limits the number and length of the reports that a process may send about a call: %s',
  (_, count, length, expected) => expect(report(count, length)).toEqual(expected),
);
