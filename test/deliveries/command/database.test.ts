import { expect, test } from 'vitest';
import { readDatabaseAddress } from '../../../src/deliveries/command/database.js';

test.each([
  {
    what: '--database takes precedence over PLATFORM_DATABASE_URL',
    option: 'postgres://a@one:6000/app',
    env: { PLATFORM_DATABASE_URL: 'postgres://two/app' },
    found: { url: 'postgres://a@one:6000/app', shown: 'one:6000/app', passwordOnCommandLine: false },
  },
  {
    what: 'a password in the environment causes no warning',
    env: { PLATFORM_DATABASE_URL: 'postgresql://a:secret@two/app?sslmode=require' },
    found: {
      url: 'postgresql://a:secret@two/app?sslmode=require',
      shown: 'two:5432/app',
      passwordOnCommandLine: false,
    },
  },
  {
    what: 'a password on the command line causes a warning',
    option: 'postgres://a:secret@one/app',
    env: {},
    found: { url: 'postgres://a:secret@one/app', shown: 'one:5432/app', passwordOnCommandLine: true },
  },
  {
    what: 'a password in the query causes a warning',
    option: 'postgres:///app?host=/run/postgresql&password=secret',
    env: {},
    found: { shown: '/run/postgresql:5432/app', passwordOnCommandLine: true },
  },
  {
    what: 'the PG* variables are sufficient',
    env: { PGHOST: 'db', PGUSER: 'me' },
    found: { url: undefined, shown: 'db:5432/me', passwordOnCommandLine: false },
  },
  {
    what: 'PGHOST can be a folder that contains sockets',
    env: { PGHOST: '/run/postgresql', PGDATABASE: 'app' },
    found: { url: undefined, shown: '/run/postgresql:5432/app' },
  },
])('$what', ({ option, env, found }) => {
  expect(readDatabaseAddress(option, env)).toMatchObject(found);
});

test.each([
  { what: 'a missing address', option: undefined, env: {}, code: 'no-database' },
  { what: 'an unsupported protocol', option: 'mysql://a:secret@db/app', env: {}, code: 'bad-database' },
  {
    what: 'a value that is not a URL',
    option: undefined,
    env: { PLATFORM_DATABASE_URL: 'secret' },
    code: 'bad-database',
  },
])('rejects $what as the database URL without showing the value', ({ option, env, code }) => {
  const read = (): unknown => readDatabaseAddress(option, env);
  expect(read).toThrow(expect.objectContaining({ code, hint: expect.stringContaining('postgres://') }));
  expect(read).not.toThrow(/secret/);
});
