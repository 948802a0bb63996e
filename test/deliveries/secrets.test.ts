import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { verifySignature } from '../../src/protocol/signature.js';
import { createPostgresDeliveryStore } from '../../src/deliveries/index.js';
import { fresh } from '../store/owned-store.js';
import { runWebhooks } from '../support/run-platform.js';
import { endpointOf } from './fleet.js';
import { openPostgres } from './postgres-under-test.js';
import { startWorker } from './worker-under-test.js';

const newKey = (): string => randomBytes(32).toString('base64');
const body = Buffer.from('{"eventId":"evt_1"}');

it('encrypts signing secrets, and rotates the encryption key while workers run', async () => {
  const { store, schema, sql, again, url } = await openPostgres();
  const [first, second] = [newKey(), newKey()];
  await store.putEndpoint(endpointOf('whe_1', 'http://127.0.0.1:1/'));
  await store.putEndpoint({
    ...endpointOf('whe_2', 'http://127.0.0.1:1/'),
    previousSecret: { secret: 'whsec_previous', until: Date.now() + 60_000 },
  });
  const stored = async (): Promise<string> =>
    JSON.stringify(await sql('select value from endpoints order by id'));
  expect(await stored()).toContain('whsec_1');

  const encrypt = async (keys: string): Promise<unknown> => {
    const { stdout } = await runWebhooks(['encrypt-secrets', '--schema', schema, '--json'], {
      env: { PLATFORM_DATABASE_URL: url, PLATFORM_SECRET_KEY: keys },
    });
    return (JSON.parse(stdout) as { changed?: number }).changed;
  };
  expect(await encrypt(first)).toBe(2);
  const once = await stored();
  expect(once).not.toMatch(/whsec/);
  expect(await encrypt(first)).toBe(0);

  const worker = await again({ secretKeys: [second, first] });
  const signatures: string[] = [];
  const { sent, changes } = await startWorker(worker, {
    fetch: async (_, { headers }) => {
      signatures.push(headers['X-Platform-Signature'] ?? '');
      return new Response('ok');
    },
  });
  expect(await encrypt(`${second},${first}`)).toBe(2);
  expect(await stored()).not.toBe(once);
  await worker.insert(['whe_1', 'whe_2'].map((endpointId) => fresh({ endpointId, eventId: 'evt_1', body })));
  await expect.poll(() => sent).toHaveLength(2);
  for (const signature of signatures) expect(await verifySignature(body, signature, 'whsec_1')).toBe(true);
  expect(await Promise.all(signatures.map((one) => verifySignature(body, one, 'whsec_previous')))).toContain(
    true,
  );

  // An endpoint that only another process can decrypt does not block others.
  const other = await again({ secretKeys: [newKey()] });
  await other.putEndpoint({ ...endpointOf('foreign', 'http://127.0.0.1:1/'), secret: 'whsec_foreign' });
  await worker.insert(
    ['foreign', 'whe_1'].map((endpointId) => fresh({ endpointId, eventId: 'evt_2', body })),
  );
  await expect.poll(() => sent).toHaveLength(3);
  expect(changes.filter(({ type }) => type === 'trouble')).toMatchObject([
    { error: { code: 'store/secret-key' } },
  ]);
  await other.removeEndpoint('foreign');

  await expect((await again({ secretKeys: [] })).endpoints()).rejects.toMatchObject({
    code: 'store/secret-key',
    message: 'The signing secret of endpoint whe_1 is encrypted, but no key was passed.',
  });
  await expect((await again({ secretKeys: [first] })).endpoints()).rejects.toMatchObject({
    code: 'store/secret-key',
    message: 'The signing secret of endpoint whe_1 is encrypted with a different key.',
  });
  // A ciphertext copied from another endpoint cannot be decrypted.
  await sql(
    `update endpoints set value = replace((select value::text from endpoints where id = 'whe_1'), '"whe_1"', '"whe_2"')::json where id = 'whe_2'`,
  );
  await expect((await again({ secretKeys: [second] })).endpoints()).rejects.toMatchObject({
    code: 'store/secret-key',
  });
  await expect(createPostgresDeliveryStore({ url, schema, secretKeys: ['short'] })).rejects.toMatchObject({
    message: 'A secret key must be 32 bytes in base64.',
  });
});

it('requires the encryption key only in commands that read a secret', async () => {
  const { store, schema, url, again } = await openPostgres();
  const key = newKey();
  const sealing = await again({ secretKeys: [key] });
  await sealing.putEndpoint(endpointOf('whe_1', 'http://127.0.0.1:1/'));
  await store.insert([fresh({ endpointId: 'whe_1', eventId: 'evt_1', body })]);
  const [queued] = await store.list();
  const run = async (...args: string[]): Promise<unknown> => {
    const { stdout } = await runWebhooks([...args, '--schema', schema, '--json'], {
      env: { PLATFORM_DATABASE_URL: url, PLATFORM_SECRET_KEY: '' },
    });
    return JSON.parse(stdout);
  };
  const missing = { error: { code: 'store/secret-key' } };
  expect(await run('list', 'whe_1')).toMatchObject(missing);
  expect(await run('rotate', 'whe_1')).toMatchObject(missing);
  expect(await run('resend', queued?.id ?? '')).toMatchObject({ delivery: { eventId: 'evt_1' } });
  expect(await run('disable', 'whe_1')).toMatchObject({ endpoints: [{ id: 'whe_1', enabled: false }] });
  expect(await run('enable', 'whe_1')).toMatchObject({ endpoints: [{ id: 'whe_1', enabled: true }] });
  // The encrypted secret is still the same.
  expect(await sealing.endpoints()).toMatchObject([{ secret: 'whsec_1', enabled: true }]);
  expect(await run('remove', 'whe_1')).toMatchObject({ endpoints: [] });
  for (const command of ['disable', 'remove']) {
    expect(await run(command, 'whe_1')).toMatchObject({ error: { code: 'unknown-endpoint' } });
  }
});
