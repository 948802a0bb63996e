import type { Clock } from '../../base/clock.js';
import type { WorkerStatus } from '../index.js';
import type { KeptDeliveryChange } from '../../webhooks/keep-delivering.js';
import type { Backlog } from '../../webhooks/model/delivery-store.js';

interface WorkerMetricsOptions {
  clock: Clock;
  figures(): WorkerStatus;
  connected(): boolean;
  backlog(): Promise<Backlog>;
  oldestTransactionMs(): Promise<number | undefined>;
}

/** Counting a large backlog takes some time, so the result is cached. */
const countEveryMs = 10_000;
const outcomes = ['delivered', 'retrying', 'failed', 'exhausted'] as const;

export function createWorkerMetrics(options: WorkerMetricsOptions) {
  const { clock, figures, connected } = options;
  const attempts = Object.fromEntries(outcomes.map((outcome) => [outcome, 0]));
  const readBacklog = atMostEvery(countEveryMs, clock, options.backlog);
  const readOldest = atMostEvery(countEveryMs, clock, options.oldestTransactionMs);
  let losses = 0;
  let disabled = 0;

  return {
    note(change: KeptDeliveryChange) {
      if (change.type === 'lost') losses += 1;
      if (change.type === 'endpoint-disabled') disabled += 1;
      if (change.type === 'attempt')
        attempts[change.delivery.state] = (attempts[change.delivery.state] ?? 0) + 1;
    },
    /** Renders the metrics in the Prometheus text format. */
    async render() {
      const { lanes, held, unwritten, polls, pollMs, failedBatches, sendDelays, oldestDueMs } = figures();
      const [backlog, oldestTransactionMs] = await Promise.all([readBacklog(), readOldest()]);
      const age = backlog?.oldestAt === undefined ? 0 : Math.max(0, clock.now() - backlog.oldestAt) / 1000;
      return [
        metric(
          'connected',
          'gauge',
          'Whether this worker is connected to the database.',
          connected() ? 1 : 0,
        ),
        metric('lanes', 'gauge', 'Number of lanes held by this worker, out of 256.', lanes),
        metric('held_deliveries', 'gauge', 'Deliveries that this worker has read but not finished.', held),
        metric(
          'unwritten_outcomes',
          'gauge',
          'Delivery results that have not been saved to the database yet.',
          unwritten,
        ),
        metric('polls_total', 'counter', 'Number of queries for due deliveries.', polls),
        metric('poll_seconds', 'gauge', 'How long the last query for due deliveries took.', pollMs / 1000),
        metric(
          'connections_lost_total',
          'counter',
          'How many times the database connection was lost.',
          losses,
        ),
        metric(
          'endpoints_disabled_total',
          'counter',
          'Number of endpoints disabled after failing for five days.',
          disabled,
        ),
        metric(
          'failed_batches_total',
          'counter',
          'How many times a batch of delivery results could not be saved.',
          failedBatches,
        ),
        delayHistogram(sendDelays),
        ...seconds('oldest_due_seconds', "How long this worker's oldest delivery has been due.", oldestDueMs),
        ...seconds(
          'oldest_transaction_seconds',
          'Age of the oldest transaction in the database.',
          oldestTransactionMs,
        ),
        metric('attempts_total', 'counter', 'Number of requests with a known outcome.', attempts, 'outcome'),
        ...(backlog
          ? [
              metric(
                'backlog',
                'gauge',
                'Number of unfinished deliveries across all workers.',
                { pending: backlog.pending, retrying: backlog.retrying, held: backlog.held },
                'state',
              ),
              metric(
                'oldest_seconds',
                'gauge',
                'Age of the oldest unfinished delivery that is not held.',
                age,
              ),
            ]
          : []),
      ].join('');
    },
  };
}

/**
 * Returns a function that reads a value and caches it for this long. Simultaneous callers share a single read. If the read
 * fails, the value is undefined.
 */
function atMostEvery<T>(ms: number, clock: Clock, read: () => Promise<T>): () => Promise<T | undefined> {
  let last: { at: number; value: Promise<T | undefined> } | undefined;
  return () => {
    if (!last || clock.monotonic() - last.at >= ms) {
      last = { at: clock.monotonic(), value: read().catch(() => undefined) };
    }
    return last.value;
  };
}

/** Renders a duration as a gauge in seconds. Renders nothing if the duration is unknown. */
const seconds = (name: string, help: string, ms: number | undefined): string[] =>
  ms === undefined ? [] : [metric(name, 'gauge', help, ms / 1000)];

function delayHistogram({ boundsMs, counts, sumMs }: WorkerStatus['sendDelays']): string {
  const full = 'platform_webhook_send_delay_seconds';
  let total = 0;
  const buckets = counts.map((count, at) => {
    const bound = boundsMs[at];
    total += count;
    return `${full}_bucket{le="${bound === undefined ? '+Inf' : bound / 1000}"} ${total}`;
  });
  return [
    `# HELP ${full} Time between when a delivery was due and when its request began.`,
    `# TYPE ${full} histogram`,
    ...buckets,
    `${full}_sum ${sumMs / 1000}`,
    `${full}_count ${total}`,
    '',
  ].join('\n');
}

function metric(
  name: string,
  type: 'gauge' | 'counter',
  help: string,
  value: number | Record<string, number>,
  label = '',
): string {
  const full = `platform_webhook_${name}`;
  const values =
    typeof value === 'number'
      ? [`${full} ${value}`]
      : Object.entries(value).map(([key, each]) => `${full}{${label}="${key}"} ${each}`);
  return `# HELP ${full} ${help}\n# TYPE ${full} ${type}\n${values.join('\n')}\n`;
}
