import { defineCommand, fine, type CommandContext, type Outcome } from '../../../context/command.js';
import { databaseOf, databaseOptions, type DatabaseOptions } from './database-options.js';

interface MigrateOptions extends DatabaseOptions {
  print?: boolean;
  grants?: boolean;
}

export const migrate = defineCommand<MigrateOptions>({
  name: 'migrate',
  summary: 'create the delivery tables in a Postgres database, or bring them up to date',
  options: [
    ...databaseOptions,
    { flags: '--print', description: 'print the SQL instead of running it' },
    { flags: '--grants', description: 'print SQL that creates roles for workers, producers and readers' },
  ],
  examples: [
    { command: 'platform webhook migrate', does: 'the database of PLATFORM_DATABASE_URL' },
    { command: 'platform webhook migrate --print > migrate.sql', does: 'have somebody else run it' },
    { command: 'platform webhook migrate --grants', does: 'print the rights that each role needs' },
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
