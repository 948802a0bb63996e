import { expect, test } from 'vitest';
import { describeHealth } from '../../src/base/text/delivery-reason.js';
import { healthOf } from '../../src/webhooks/endpoint-health.js';
import type { Attempt, AttemptResult } from '../../src/webhooks/model/delivery.js';

const answer = (status: number): AttemptResult => ({ kind: 'answer', status, body: new Uint8Array() });
const attempt = (startedAt: number, durationMs: number, result: AttemptResult): Attempt => ({
  number: 1,
  startedAt,
  durationMs,
  result,
});

test('computes the number of requests, the p95 and the last failure, regardless of the order of attempts', () => {
  const slow = attempt(5, 900, answer(500));
  const fast = Array.from({ length: 19 }, (_, n) => attempt(10 + n, n, answer(204)));
  const health = healthOf([
    { id: 'dlv_2', attempts: fast },
    { id: 'dlv_1', attempts: [attempt(2, 0, { kind: 'interrupted' }), slow] },
    { id: 'dlv_0', attempts: [] },
  ]);
  expect(health).toEqual({
    requests: 21,
    succeeded: 19,
    since: 2,
    p95Ms: 18,
    lastFailure: { delivery: 'dlv_1', attempt: slow },
  });
});

test('reports no statistics before the first request', () => {
  expect(healthOf([])).toEqual({ requests: 0, succeeded: 0 });
});

const time = (at: number): string => `${at} o'clock`;

test.each([
  [{ requests: 0, succeeded: 0 }, ['no requests yet']],
  [{ requests: 1, succeeded: 1, p95Ms: 12.4 }, ['1 of 1 request succeeded (100%), p95 12 ms']],
  [
    {
      requests: 300,
      succeeded: 299,
      p95Ms: 7,
      lastFailure: { delivery: 'dlv_4', startedAt: 9, result: { kind: 'answer', status: 503 } },
    },
    [
      '299 of 300 requests succeeded (99%), p95 7 ms',
      "last failure 9 o'clock, dlv_4: the receiver responded with 503",
    ],
  ],
])('summarizes the statistics %o as %o', (health, lines) => {
  expect(describeHealth(health, time)).toEqual(lines);
});
