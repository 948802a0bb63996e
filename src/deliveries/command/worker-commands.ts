import { UserError } from '../../base/user-error.js';
import { retryDelaysAsOption } from '../../protocol/default-retry-delays.js';
import {
  defineCommand,
  fine,
  parseCount,
  type CommandContext,
  type CommandSpec,
  type Outcome,
} from '../../cli/context/command.js';
import {
  databaseOf,
  databaseOptions,
  secretKeysOf,
  secretOptions,
  withDatabase,
  type DatabaseOptions,
} from './database.js';
import type { WorkerOptions } from './run-worker.js';
import { parseBytes, parseDelays, parseDuration, parseMetricsAddress, parseUrl } from './parse-values.js';

const worker = defineCommand<WorkerOptions>({
  name: 'worker',
  summary: 'deliver webhooks, together with other workers',
  options: {
    ...secretOptions,
    '--concurrency <n>': {
      description: 'maximum number of simultaneous requests',
      parse: parseCount,
      default: 256,
    },
    '--per-endpoint <n>': {
      description: 'maximum number of simultaneous requests to one endpoint',
      parse: parseCount,
      default: 4,
    },
    '--per-second <n>': {
      description: 'maximum number of requests per second to one endpoint (default: no limit)',
      parse: parseCount,
    },
    '--retry <delays>': {
      description: `delays between retries, such as ${retryDelaysAsOption},1m,10m,1h (default: ${retryDelaysAsOption})`,
      parse: parseDelays,
    },
    '--keep-delivered <time>': {
      description: 'how long to keep successful deliveries (default: 1d)',
      parse: parseDuration,
    },
    '--keep-failed <time>': {
      description: 'how long to keep failed and held deliveries (default: 30d)',
      parse: parseDuration,
    },
    '--max-body <size>': {
      description: 'largest event to load, such as 512kb or 4mb (default: 1mb)',
      parse: parseBytes,
    },
    '--migrate': 'create or update the delivery tables',
    '--name <name>': 'name shown in `platform-webhooks status` (default: host name and process id)',
    '--targets <targets>': {
      description: 'addresses to send to; "public" blocks private, loopback and link-local addresses',
      choices: ['public', 'any'],
      default: 'public',
    },
    '--notify <url>': {
      description: 'URL that receives a webhook when an endpoint fails or is disabled',
      parse: parseUrl,
    },
    '--metrics <host:port>': {
      description: 'serve /metrics (Prometheus), /livez, /readyz and /healthz on this address',
      parse: parseMetricsAddress,
    },
  },
  examples: {
    'platform-webhooks worker --metrics 127.0.0.1:9464':
      'use the database that PLATFORM_DATABASE_URL points to',
    'platform-webhooks worker --database postgres://app@db.internal/app --concurrency 100':
      'use the password from PGPASSWORD or ~/.pgpass',
  },
  async run(context, _, options) {
    const { runWorker } = await import('./run-worker.js');
    await runWorker(context, options);
    return fine;
  },
});

const status = defineCommand<DatabaseOptions>({
  name: 'status',
  summary: 'show the workers, the backlog and failing endpoints',
  options: databaseOptions,
  examples: {
    'platform-webhooks status': 'use the database that PLATFORM_DATABASE_URL points to',
    'platform-webhooks status --json': 'print the result as JSON',
  },
  run: (context, _, options) =>
    withDatabase(context, options, async (store) => {
      const found = await store.status();
      const { renderStatus } = await import('./render-status.js');
      if (context.json) context.emit(found);
      else context.print(renderStatus(found, context.style, context.io.clock.now()));
      return fine;
    }),
});

interface MigrateOptions extends DatabaseOptions {
  print?: boolean;
  grants?: boolean;
}

const migrate = defineCommand<MigrateOptions>({
  name: 'migrate',
  summary: 'create or update the delivery tables',
  options: {
    ...databaseOptions,
    '--print': 'print the SQL instead of running it',
    '--grants': 'print SQL that creates roles for workers, producers and readers',
  },
  examples: {
    'platform-webhooks migrate': 'use the database that PLATFORM_DATABASE_URL points to',
    'platform-webhooks migrate --print > migrate.sql': 'print the SQL for someone else to run',
    'platform-webhooks migrate --grants': 'print the permissions that each role needs',
  },
  async run(context, _, options) {
    const { schema } = options;
    const postgres = await import('../index.js');
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

const sealSecrets = defineCommand<DatabaseOptions>({
  name: 'encrypt-secrets',
  summary: 'encrypt the signing secrets with the first secret key',
  options: secretOptions,
  examples: {
    'platform-webhooks encrypt-secrets': 'encrypt with the first key in PLATFORM_SECRET_KEY',
    'platform-webhooks encrypt-secrets --secret-key NEW_AND_OLD_KEY': 'replace an old key',
  },
  async run(context, _, options) {
    const { secretKey = '' } = options;
    if (secretKeysOf(context, secretKey).length === 0) {
      throw new UserError(
        'missing-input',
        `The environment variable ${secretKey} contains no key.`,
        'Create a key with: openssl rand -base64 32',
      );
    }
    return withDatabase(context, options, async (store) => {
      const changed = await store.sealSecrets();
      if (context.json) context.emit({ changed });
      else context.print(`Encrypted the secrets of ${changed} ${changed === 1 ? 'endpoint' : 'endpoints'}.`);
      return fine;
    });
  },
});

export const workerCommands: readonly CommandSpec[] = [worker, status, migrate, sealSecrets];
