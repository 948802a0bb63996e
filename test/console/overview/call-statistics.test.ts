import { describe, expect, it } from 'vitest';
import { callStatistics, type CountedCall } from '../../../src/console/overview/call-statistics.js';

const minute = 60_000;
const now = 1000 * minute + 30_000;
const call = (fields: Partial<CountedCall> = {}): CountedCall => ({
  time: now,
  source: 'request',
  type: 'fetch',
  outcome: 'ok',
  durationMs: 5,
  ...fields,
});

describe('calls per minute', () => {
  it('has each minute of the last hour, even without a call', () => {
    const { minutes, calls, failures } = callStatistics(
      [
        call({ source: 'script' }),
        call(),
        call({ outcome: 'failed' }),
        call({ time: now - 2 * minute }),
        call({ time: now - 59 * minute }),
        call({ time: now - 60 * minute }),
      ],
      now,
      true,
    );
    expect(minutes).toHaveLength(60);
    expect(minutes.at(-1)).toEqual({ time: 1000 * minute, calls: 2, failures: 1 });
    expect(minutes.slice(-3).map((one) => one.calls)).toEqual([1, 0, 2]);
    expect(minutes[0]?.calls).toBe(1);
    expect({ calls, failures }).toEqual({ calls: 4, failures: 1 });
  });

  it('starts at the oldest known call if there were more', () => {
    const newest = [call(), call({ time: now - 3 * minute })];
    expect(callStatistics(newest, now, false).minutes.map(({ calls }) => calls)).toEqual([1, 0, 0, 1]);
    expect(callStatistics([call({ time: now - 90 * minute })], now, false).minutes).toHaveLength(60);
  });

  it('starts at the first call, at least ten minutes ago', () => {
    expect(callStatistics([call({ time: now - 15 * minute })], now, true).minutes).toHaveLength(16);
    const { minutes, handlers } = callStatistics([], now, true);
    expect(minutes.map(({ calls }) => calls)).toEqual(Array.from({ length: 10 }, () => 0));
    expect(handlers).toEqual([]);
  });
});

describe('latency per handler', () => {
  it.each([
    [[7], 7, 7],
    [[2, 1], 1, 2],
    [Array.from({ length: 20 }, (_, i) => 20 - i), 10, 19],
    [Array.from({ length: 100 }, (_, i) => i + 1), 50, 95],
  ])('of %j', (times, p50, p95) => {
    const { handlers } = callStatistics(
      times.map((durationMs) => call({ durationMs })),
      now,
      true,
    );
    expect(handlers).toEqual([{ handler: 'fetch', calls: times.length, failures: 0, p50, p95 }]);
  });

  it('distinguishes components, and omits calls without a handler or an end', () => {
    const { durationMs: _, ...running } = call({ type: 'page_feedback', outcome: 'running' });
    const { handlers } = callStatistics(
      [
        call({ type: 'ui_render', component: 'poll', outcome: 'failed' }),
        call(),
        call(),
        call({ type: 'site_view', outcome: 'no-handler' }),
        call({ type: 'site_view', outcome: 'withheld' }),
        running,
      ],
      now,
      true,
    );
    expect(handlers.map(({ handler, calls, failures }) => [handler, calls, failures])).toEqual([
      ['fetch', 2, 0],
      ['poll (render)', 1, 1],
    ]);
  });
});
