import { expect, test } from 'vitest';
import { renderStatus } from '../../../src/deliveries/command/render-status.js';
import { createStyle } from '../../../src/terminal/style.js';

const now = 1_700_000_000_000;
const style = createStyle(false);

test('shows the workers, the backlog, the failing endpoints and a long transaction', () => {
  const text = renderStatus(
    {
      workers: [
        { name: 'web-1', pid: 10, lanes: 128, since: now - 90_000 },
        { name: 'web-10', pid: 11, lanes: 100, since: now - 7_200_000 },
      ],
      freeLanes: 28,
      backlog: { pending: 12, retrying: 3, held: 2, inFlight: 0, oldestAt: now - 600_000 },
      failing: [
        {
          endpointId: 'whe_1',
          url: 'https://example.com/hook',
          retrying: 3,
          failed: 40,
          last: 'the receiver responded with 503',
        },
        { endpointId: 'whe_2', retrying: 0, failed: 1 },
      ],
      oldestTransactionMs: 3_600_000,
    },
    style,
    now,
  );
  expect(text).toBe(
    [
      '2 workers',
      '  web-1   128 lanes  for 90 s',
      '  web-10  100 lanes  for 2 h',
      '  28 of 256 lanes have no worker at the moment.',
      '',
      '12 new and 3 retried deliveries are waiting, the oldest for 10 min.',
      '2 deliveries are held, because their endpoints are disabled or paused.',
      '',
      'Failing endpoints',
      '  whe_1  https://example.com/hook  3 retrying, 40 failed, last: the receiver responded with 503',
      '  whe_2  removed  0 retrying, 1 failed',
      '',
      'A transaction has been open for 60 min. Until it ends, deleted rows cannot be cleaned up, which slows down the workers.',
    ].join('\n'),
  );
});

test('shows how to start a worker if none are running', () => {
  const backlog = { pending: 0, retrying: 0, held: 0, inFlight: 0 };
  const text = renderStatus(
    { workers: [], freeLanes: 256, backlog, failing: [], oldestTransactionMs: 0 },
    style,
    now,
  );
  expect(text).toBe('No worker is running. Start one with: platform-webhooks worker\n\nNothing is waiting.');
});

test('shows "unknown" instead of 0 for values that the database user is not allowed to read', () => {
  const backlog = { pending: 0, retrying: 0, held: 0, inFlight: 0 };
  const workers = [{ name: 'web-1', pid: 10, lanes: 256 }];
  expect(renderStatus({ workers, freeLanes: 0, backlog, failing: [] }, style, now)).toBe(
    [
      '1 worker',
      '  web-1  256 lanes',
      '',
      'Nothing is waiting.',
      '',
      "Oldest transaction: unknown, because this database user isn't a member of pg_read_all_stats.",
    ].join('\n'),
  );
});
