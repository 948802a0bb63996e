import { hostname } from 'node:os';
import { createWebhookFetch } from '../../webhooks/node/webhook-fetch.js';
import type { Targets } from '../../webhooks/send/target-address.js';
import { keepDelivering, type KeptDelivery } from '../../webhooks/keep-delivering.js';
import type { CommandContext } from '../../cli/context/command.js';
import { platformVersion } from '../../cli/context/version.js';
import { databaseOf, secretKeysOf, type DatabaseOptions } from './database.js';
import { createWorkerMetrics } from './metrics.js';
import { readinessOf, serveMetrics, type MetricsServer } from './metrics-server.js';
import type { MetricsAddress } from './parse-values.js';
import { createOperatorEvents, openOperatorEndpoint, operatorEndpoint } from './operator-events.js';
import { createWorkerReport } from './report-worker.js';

export interface WorkerOptions extends DatabaseOptions {
  concurrency: number;
  perEndpoint: number;
  perSecond?: number;
  migrate?: boolean;
  retry?: readonly number[];
  keepDelivered?: number;
  keepFailed?: number;
  maxBody?: number;
  name?: string;
  notify?: string;
  targets: Targets;
  metrics?: MetricsAddress;
}

/**
 * How long to wait for requests in flight. Longer than any request can take, but shorter than the time a command is given to
 * end after an interrupt.
 */
const drainMs = 15_000;

/** Delivers until interrupted, then waits for requests in flight to finish. */
export async function runWorker(context: CommandContext, options: WorkerOptions): Promise<void> {
  const database = databaseOf(context, options);
  const { io } = context;
  const { clock } = io;
  const { retry, keepDelivered, keepFailed, maxBody, perSecond, notify } = options;
  const { schema, concurrency, perEndpoint, targets, name = `${hostname()}-${io.pid}` } = options;
  const interrupted = io.takeInterrupts();
  const report = createWorkerReport(context);

  const { createPostgresDeliveryStore } = await import('../index.js');
  const store = await createPostgresDeliveryStore({
    ...(database.url && { url: database.url }),
    schema,
    name,
    migrate: options.migrate === true,
    secretKeys: secretKeysOf(context, options.secretKey),
    ...(maxBody !== undefined && { maxBodyBytes: maxBody }),
    keep: {
      ...(keepDelivered !== undefined && { deliveredMs: keepDelivered }),
      ...(keepFailed !== undefined && { failedMs: keepFailed }),
    },
  });
  let delivery: KeptDelivery | undefined;
  const delivering = (): boolean => delivery?.delivering() ?? false;
  const metrics = createWorkerMetrics({
    clock,
    figures: () => store.worker(),
    connected: delivering,
    backlog: () => store.backlog(),
    oldestTransactionMs: () => store.oldestTransactionMs(),
  });
  const send = createWebhookFetch({ targets });
  // The operator's own address may be a private one.
  const sendToOperator = createWebhookFetch({ targets: 'any' });
  const operatorEvent = createOperatorEvents();
  let server: MetricsServer | undefined;
  try {
    const queueForOperator = notify && (await openOperatorEndpoint(store, notify, () => clock.now()));
    if (options.metrics) {
      server = await serveMetrics(options.metrics, {
        render: metrics.render,
        healthy: delivering,
        readiness() {
          const { sinceReadMs, stalledMs } = store.worker();
          return readinessOf({ connected: delivering(), sinceReadMs, stalledMs });
        },
      });
    }
    delivery = await keepDelivering({
      store,
      clock,
      random: Math.random,
      fetch: (url, request, endpointId) =>
        (notify && endpointId === operatorEndpoint ? sendToOperator : send)(url, request),
      version: platformVersion,
      concurrency,
      perEndpoint,
      ...(perSecond !== undefined && { perSecond }),
      ...(retry && { retryDelaysMs: retry }),
      onChange(change) {
        metrics.note(change);
        report.note(change);
        const event = operatorEvent(change);
        if (!event) return;
        report.operator(event);
        if (queueForOperator)
          queueForOperator(event).catch((error: unknown) => report.note({ type: 'trouble', error }));
      },
    });
    report.ready({ name, database: database.shown, schema, ...(server && { metrics: server.url }) });
    await new Promise<void>((stop) => {
      interrupted.addEventListener('abort', () => stop(), { once: true });
      if (interrupted.aborted) stop();
    });
    report.stopping();
    await delivery.close({ patienceMs: drainMs });
  } finally {
    await server?.close();
    await store.close();
  }
  report.stopped();
}
