import type { JsonDocument } from './json-documents.js';

/** What the commands for a Postgres database print. */
export const databaseDocuments: JsonDocument[] = [
  {
    command: 'webhook migrate',
    notRun: 'it needs a Postgres database.',
    fields: {
      schema: ['string', 'the name of the schema'],
      from: ['string', 'its version before, such as `1.2`; `0` if it had no tables'],
      to: ['string', 'its version now'],
      sql: ['string', 'with `--print` or `--grants`, only this field: the SQL'],
    },
  },
  {
    command: 'webhook encrypt-secrets',
    notRun: 'it needs a Postgres database.',
    fields: { changed: ['number', 'the endpoints whose secrets were encrypted again'] },
  },
  {
    command: 'webhook status',
    notRun: 'it needs a Postgres database.',
    fields: {
      workers: [
        'list of objects',
        'the workers, each with its `name`, its `pid` in the database, its number of `lanes`, and `since`',
      ],
      freeLanes: ['number', 'lanes that no worker holds'],
      backlog: ['object', 'the number of `pending` and `retrying` deliveries, and of those `inFlight`'],
      failing: [
        'list of objects',
        'at most 20 endpoints with retries or failures: `endpointId`, `url`, `retrying`, `failed`, `last`',
      ],
      oldestTransactionMs: [
        'number',
        'age of the oldest transaction in the database; absent if this database user may not see it',
      ],
    },
  },
];
