import { cpSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import Database from 'libsql';
import { expect, test } from 'vitest';
import { runPlatform } from '../support/run-platform.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const fixtures = fileURLToPath(new URL('../fixtures/', import.meta.url));

/** What a person who used 0.1.0 has: a configuration, calls, a body, a webhook endpoint, a delivery, a saved state. */
const commands = [
  ['config', 'get', 'channel'],
  ['logs'],
  ['webhook', 'list', '--json'],
  ['webhook', 'deliveries', '--json'],
  ['state', 'list'],
  ['inspect', 'call_1k820jc3beqe'],
];

/** Everything secret in the fixture, as 0.1.0 stored it. */
const secrets = [
  'whsec_kept_from_010_and_long_enough',
  'integration_C2GmM_BjY2wWrDGw-HES3bI9XwGBigvu',
  'signing_fgg7N513d78m1FmuiVlC4fa-LcOJ_oJI',
  'link_5BvoZc-e7YoMzXG1aDCu5kld9vIYqCDr',
  'installation_jYC8yoVXDdaIgTdn0771R3FGaMQlQ7QE',
  'signing_f0ktK5LzMSwW81Qm2tc8bC_CxAaccs1S',
  'signing_OvM9snnpnD2NVT9qAr3ZcEwP9pIXCwCE',
  'signing_K6DjImdeB24IKxRVwX1DvRZ66OH2U8ma',
];
const credentials = { access_token: 'access-kept-from-010', refresh_token: 'refresh-kept-from-010' };

/** Puts the credentials where the OAuth handler of 0.1.0 stored them. */
function storeCredentials(file: string): void {
  const database = new Database(file);
  database
    .prepare(
      `UPDATE state SET value =
         CAST(json_set(CAST(value AS TEXT), '$.configuration.oauth_credentials', json(?)) AS BLOB)
       WHERE CAST(collection AS TEXT) = 'installations'`,
    )
    .run([JSON.stringify(credentials)]);
  database.close();
}

/** The text of all values of the state and of the webhook endpoints. */
function storedText(file: string): string {
  const database = new Database(file, { readonly: true });
  const rows = ['state', 'webhook_endpoint'].flatMap((table) =>
    database.prepare(`SELECT CAST(value AS TEXT) AS value FROM ${table}`).all(),
  ) as { value: string }[];
  database.close();
  return rows.map(({ value }) => value).join('\n');
}

/** A program of a CI job that uses a token of before: prints the configuration that the API returns. */
const askApi = `fetch(process.env.PLATFORM_API_URL + '/v1/integrations/author/installations/installation_1', {
  headers: { Authorization: 'Bearer ${secrets[1]}' },
}).then(async (response) => console.log('api', response.status, JSON.stringify((await response.json()).configuration)));`;

test('uses a .platform folder of version 0.1.0 without losing data', async () => {
  const folder = temporaryFolder();
  cpSync(join(fixtures, 'projects/author'), folder, { recursive: true });
  mkdirSync(join(folder, '.platform'), { mode: 0o755 });
  const state = gunzipSync(readFileSync(join(fixtures, 'state-0.1.0/state.db.gz')));
  writeFileSync(join(folder, '.platform/state.db'), state, { mode: 0o600 });
  const database = join(folder, '.platform/state.db');
  storeCredentials(database);
  writeFileSync(join(folder, 'ask-api.mjs'), askApi);
  writeFileSync(join(folder, '.platform/.gitignore'), '*\n');
  // What a 0.1.0 that was killed leaves.
  const session = {
    version: 1,
    pid: 2 ** 22 + 1,
    platformVersion: '0.1.0',
    origin: 'http://127.0.0.1:1',
    token: 'a',
  };
  writeFileSync(join(folder, '.platform/session.json'), JSON.stringify(session), { mode: 0o600 });

  const platform = fileURLToPath(new URL('../../bin/platform.js', import.meta.url));
  const script = commands
    .map((words) => `"${process.execPath}" "${platform}" ${words.join(' ')} || exit 9`)
    .concat(`"${process.execPath}" ask-api.mjs || exit 9`)
    .join('; ');
  const { code, stdout, stderr } = await runPlatform(['dev', '--port', '0', '--exec', script], {
    cwd: folder,
    limitMs: 60_000,
  });
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  expect(statSync(join(folder, '.platform')).mode & 0o777).toBe(0o700);
  expect(stdout).toMatch(/^general$/m);
  expect(stdout).toMatch(/space_content_updated +200 .*call_1k820jahd5rf/);
  expect(stdout).toContain('"http://127.0.0.1:9/hook"');
  expect(stdout).toMatch(/"eventType": ?"space_content_updated"/);
  expect(stdout).toMatch(/^before /m);
  expect(stdout).toContain('kept-body');
  expect(stdout).toContain(
    `api 200 ${JSON.stringify({ channel: 'general', oauth_credentials: credentials })}`,
  );
  const stored = storedText(database);
  const kept = [...secrets, ...Object.values(credentials)].filter((secret) => stored.includes(secret));
  expect(kept).toEqual([...secrets, ...Object.values(credentials)]);
  // The commands of this start show none of them.
  for (const secret of secrets) expect(stdout + stderr).not.toContain(secret);
  console.log(
    `state of 0.1.0: ${commands.length} of ${commands.length} commands read it, ${kept.length} of ${secrets.length + 2} secrets unchanged, the API accepts the token of before`,
  );
});
