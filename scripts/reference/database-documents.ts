import type { JsonDocument } from './json-documents.js';

/** What the commands for a Postgres database print. */
export const databaseDocuments: JsonDocument[] = [
  {
    command: 'platform-webhooks migrate',
    notRun: 'it requires a Postgres database.',
    fields: {
      schema: ['string', 'the name of the schema'],
      from: ['string', 'the previous version, such as `1.2`, or `0` if there were no tables'],
      to: ['string', 'the current version'],
      sql: ['string', 'with `--print` or `--grants`, the SQL, which is then the only field'],
    },
  },
  {
    command: 'platform-webhooks encrypt-secrets',
    notRun: 'it requires a Postgres database.',
    fields: { changed: ['number', 'number of endpoints whose secrets were encrypted'] },
  },
  {
    command: 'platform-webhooks status',
    notRun: 'it requires a Postgres database.',
    fields: {
      workers: [
        'list of objects',
        'the workers, each with its `name`, its database `pid`, its number of `lanes`, and the time it started (`since`)',
      ],
      freeLanes: ['number', 'number of lanes that are not held by any worker'],
      backlog: [
        'object',
        'the number of `pending`, `retrying` and `held` deliveries, and how many of them are `inFlight`',
      ],
      failing: [
        'list of objects',
        'at most 20 endpoints with retries or failures, each with `endpointId`, `url`, `retrying`, `failed`, `last`',
      ],
      oldestTransactionMs: [
        'number',
        'age of the oldest transaction in the database. Absent if the database user cannot see it',
      ],
    },
  },
];
