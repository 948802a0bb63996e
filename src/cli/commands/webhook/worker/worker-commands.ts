import { UserError } from '../../../../base/user-error.js';
import { retryDelaysAsOption } from '../../../../protocol/retry-delays.js';
import {
  defineCommand,
  fine,
  parseCount,
  type CommandContext,
  type CommandSpec,
  type Outcome,
} from '../../../context/command.js';
import {
  databaseOf,
  databaseOptions,
  secretKeyOption,
  secretKeysOf,
  type DatabaseOptions,
} from './database-options.js';
import { parseMetricsAddress } from './metrics-address.js';
import type { WorkerOptions } from './run-worker.js';
import { parseBytes, parseDelays, parseDuration } from './units.js';

const worker = defineCommand<DatabaseOptions & WorkerOptions>({
  name: 'worker',
  summary: 'deliver webhooks from a Postgres database, together with other workers',
  options: [
    ...databaseOptions,
    {
      flags: '--concurrency <n>',
      description: 'maximum number of simultaneous requests',
      parse: parseCount,
      default: 256,
    },
    {
      flags: '--per-endpoint <n>',
      description: 'maximum number of simultaneous requests to one endpoint',
      parse: parseCount,
      default: 4,
    },
    {
      flags: '--retry <delays>',
      description: `delays between retries, such as ${retryDelaysAsOption},1m,10m,1h (default: ${retryDelaysAsOption})`,
      parse: parseDelays,
    },
    {
      flags: '--keep-delivered <time>',
      description: 'how long to keep successful deliveries (default: 1d)',
      parse: parseDuration,
    },
    {
      flags: '--keep-failed <time>',
      description: 'how long to keep failed deliveries (default: 30d)',
      parse: parseDuration,
    },
    {
      flags: '--max-body <size>',
      description: 'largest event to load, such as 512kb or 4mb (default: 1mb)',
      parse: parseBytes,
    },
    secretKeyOption,
    { flags: '--migrate', description: 'create or update the delivery tables' },
    {
      flags: '--name <name>',
      description: 'name shown in `webhook status` (default: host name and process id)',
    },
    {
      flags: '--targets <targets>',
      description: 'addresses to send to; "public" blocks private, loopback and link-local addresses',
      choices: ['public', 'any'],
      default: 'public',
    },
    {
      flags: '--metrics <host:port>',
      description: 'serve /metrics (Prometheus), /livez, /readyz and /healthz on this address',
      parse: parseMetricsAddress,
    },
  ],
  examples: [
    {
      command: 'platform webhook worker --metrics 127.0.0.1:9464',
      does: 'use the database that PLATFORM_DATABASE_URL points to',
    },
    {
      command: 'platform webhook worker --database postgres://app@db.internal/app --concurrency 100',
      does: 'use the password from PGPASSWORD or ~/.pgpass',
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
  summary: 'show the workers, backlog and failing endpoints of a Postgres database',
  options: databaseOptions,
  examples: [
    { command: 'platform webhook status', does: 'use the database that PLATFORM_DATABASE_URL points to' },
    { command: 'platform webhook status --json', does: 'print the result as JSON' },
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

interface MigrateOptions extends DatabaseOptions {
  print?: boolean;
  grants?: boolean;
}

const migrate = defineCommand<MigrateOptions>({
  name: 'migrate',
  summary: 'create or update the delivery tables in a Postgres database',
  options: [
    ...databaseOptions,
    { flags: '--print', description: 'print the SQL instead of running it' },
    { flags: '--grants', description: 'print SQL that creates roles for workers, producers and readers' },
  ],
  examples: [
    { command: 'platform webhook migrate', does: 'use the database that PLATFORM_DATABASE_URL points to' },
    {
      command: 'platform webhook migrate --print > migrate.sql',
      does: 'print the SQL for someone else to run',
    },
    { command: 'platform webhook migrate --grants', does: 'print the permissions that each role needs' },
  ],
  async run(context, _, options) {
    const { schema } = options;
    const postgres = await import('../../../../store/postgres/index.js');
    if (options.grants) return printSql(context, postgres.grantsSql(schema));
    const { url } = databaseOf(context, options);
    const database = { ...(url !== undefined && { url }), schema };
    if (options.print) return printSql(context, await postgres.printMigration(database));
    const { from, to } = await postgres.migratePostgres(database);
    if (context.json) context.emit({ schema, from, to });
    else if (from === to) context.print(`The schema ${schema} is up to date (version ${to}).`);
    else if (from === '0') context.print(`Created the tables in the schema ${schema} (version ${to}).`);
    else context.print(`Updated the schema ${schema} from version ${from} to ${to}.`);
    return fine;
  },
});

function printSql({ json, emit, print, note }: CommandContext, sql: string): Outcome {
  if (json) emit({ sql });
  else if (sql === '') note('The schema is up to date.');
  else print(sql.trimEnd());
  return fine;
}

const sealSecrets = defineCommand<DatabaseOptions & { secretKey: string }>({
  name: 'encrypt-secrets',
  summary: 'encrypt the signing secrets in a Postgres database with the first secret key',
  options: [...databaseOptions, secretKeyOption],
  examples: [
    {
      command: 'platform webhook encrypt-secrets',
      does: 'encrypt with the first key in PLATFORM_SECRET_KEY',
    },
    { command: 'platform webhook encrypt-secrets --secret-key NEW_AND_OLD_KEY', does: 'replace an old key' },
  ],
  async run(context, _, options) {
    const { schema, secretKey } = options;
    const secretKeys = secretKeysOf(context, secretKey);
    if (secretKeys.length === 0) {
      throw new UserError(
        'missing-input',
        `The environment variable ${secretKey} contains no key.`,
        'Create a key with: openssl rand -base64 32',
      );
    }
    const { url } = databaseOf(context, options);
    const { createPostgresDeliveryStore } = await import('../../../../store/postgres/index.js');
    const store = await createPostgresDeliveryStore({
      ...(url !== undefined && { url }),
      schema,
      secretKeys,
    });
    try {
      const changed = await store.sealSecrets();
      if (context.json) context.emit({ changed });
      else context.print(`Encrypted the secrets of ${changed} ${changed === 1 ? 'endpoint' : 'endpoints'}.`);
    } finally {
      await store.close();
    }
    return fine;
  },
});

export const workerCommands: readonly CommandSpec[] = [worker, status, migrate, sealSecrets];
