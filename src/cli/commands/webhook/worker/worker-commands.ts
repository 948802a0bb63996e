import { defineCommand, fine, parseCount, type CommandSpec } from '../../../context/command.js';
import { databaseOf, databaseOptions, secretKeyOption, type DatabaseOptions } from './database-options.js';
import { parseDelays, parseDuration } from './durations.js';
import { parseMetricsAddress } from './metrics-address.js';
import { migrate } from './migrate-command.js';
import { sealSecrets } from './seal-secrets-command.js';
import type { WorkerOptions } from './run-worker.js';

const worker = defineCommand<DatabaseOptions & WorkerOptions>({
  name: 'worker',
  summary: 'deliver webhooks from a Postgres database, together with other workers',
  options: [
    ...databaseOptions,
    {
      flags: '--concurrency <n>',
      description: 'maximum number of requests at a time',
      parse: parseCount,
      default: 256,
    },
    {
      flags: '--per-endpoint <n>',
      description: 'maximum number of requests at a time to one endpoint',
      parse: parseCount,
      default: 4,
    },
    {
      flags: '--retry <delays>',
      description: 'delays before the retries, such as 1s,2s,4s,1m,10m,1h (default: 1s,2s,4s)',
      parse: parseDelays,
    },
    {
      flags: '--keep-delivered <time>',
      description: 'how long to keep delivered deliveries (default: 1d)',
      parse: parseDuration,
    },
    {
      flags: '--keep-failed <time>',
      description: 'how long to keep failed deliveries (default: 30d)',
      parse: parseDuration,
    },
    secretKeyOption,
    { flags: '--migrate', description: 'create the delivery tables, or bring them up to date' },
    { flags: '--name <name>', description: 'name in `webhook status` (default: host name and process id)' },
    {
      flags: '--targets <targets>',
      description: 'addresses to send to; "public" refuses private, loopback and link-local addresses',
      choices: ['public', 'any'],
      default: 'public',
    },
    {
      flags: '--metrics <host:port>',
      description: 'serve /metrics (Prometheus) and /healthz on this address',
      parse: parseMetricsAddress,
    },
  ],
  examples: [
    {
      command: 'platform webhook worker --metrics 127.0.0.1:9464',
      does: 'the database of PLATFORM_DATABASE_URL',
    },
    {
      command: 'platform webhook worker --database postgres://app@db.internal/app --concurrency 100',
      does: 'the password comes from PGPASSWORD or ~/.pgpass',
    },
  ],
  async run(context, _, options) {
    const database = databaseOf(context, options);
    const { runWorker } = await import('./run-worker.js');
    await runWorker(context, database, options);
    return fine;
  },
});

const status = defineCommand<DatabaseOptions>({
  name: 'status',
  summary: 'show the workers of a Postgres database, their backlog and failing endpoints',
  options: databaseOptions,
  examples: [
    { command: 'platform webhook status', does: 'the database of PLATFORM_DATABASE_URL' },
    { command: 'platform webhook status --json', does: 'as JSON' },
  ],
  async run(context, _, options) {
    const database = databaseOf(context, options);
    const [{ createPostgresDeliveryStore }, { renderStatus }] = await Promise.all([
      import('../../../../store/postgres/index.js'),
      import('./render-status.js'),
    ]);
    const { schema } = options;
    const store = await createPostgresDeliveryStore({ ...(database.url && { url: database.url }), schema });
    try {
      const found = await store.status();
      if (context.json) context.emit(found);
      else context.print(renderStatus(found, context.style, context.io.clock.now()));
    } finally {
      await store.close();
    }
    return fine;
  },
});

export const workerCommands: readonly CommandSpec[] = [worker, status, migrate, sealSecrets];
