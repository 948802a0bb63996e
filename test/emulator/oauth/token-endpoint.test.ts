import { expect, it } from 'vitest';
import type { Sample } from '../emulator-under-test.js';
import { callback, codeFor, createConnected } from './connected-sample.js';

async function exchange(
  { get }: Sample,
  fields: Record<string, string>,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const body = new URLSearchParams({
    client_id: 'client',
    client_secret: 'secret',
    redirect_uri: callback,
    grant_type: 'authorization_code',
    ...fields,
  });
  const response = await get('/oauth/token', { method: 'POST', body });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const refused = (error_description: string) => ({
  status: 400,
  body: { error: 'invalid_grant', error_description },
});

it('exchanges a code once, and revokes the tokens if the code is used again', async () => {
  const sample = await createConnected();
  const code = await codeFor(sample, { scope: 'read' });
  const { status, body } = await exchange(sample, { code });
  expect(status).toBe(200);
  expect(body).toEqual({
    access_token: expect.any(String),
    refresh_token: expect.any(String),
    token_type: 'bearer',
    expires_in: 3600,
    scope: 'read',
  });
  expect(await exchange(sample, { code })).toEqual(
    refused('The code was already used, so its tokens were revoked.'),
  );
  const refresh = { grant_type: 'refresh_token', refresh_token: String(body.refresh_token) };
  expect(await exchange(sample, refresh)).toEqual(refused('The refresh token is unknown or was revoked.'));
});

it('rejects a code that is more than ten minutes old', async () => {
  const sample = await createConnected();
  const [early, late] = [await codeFor(sample), await codeFor(sample)];
  await sample.clock.advance(599_999);
  expect((await exchange(sample, { code: early })).status).toBe(200);
  await sample.clock.advance(1);
  expect(await exchange(sample, { code: late })).toEqual(refused('The code has expired.'));
});

it.each([
  [{ redirect_uri: `${callback}/` }, 'The code was issued for a different redirect_uri.'],
  [{ client_id: 'other' }, 'The code was issued to a different client_id.'],
  [{ code_verifier: 'x' }, 'The code_verifier does not match the code_challenge.'],
])('rejects an exchange with %j and invalidates the code', async (fields, why) => {
  const sample = await createConnected();
  const code = await codeFor(sample);
  expect(await exchange(sample, { code, ...fields })).toEqual(refused(why));
  expect((await exchange(sample, { code })).status).toBe(400);
});

// The pair of RFC 7636, appendix B.
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const pkce = { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' };
it.each([
  [{ code_verifier: verifier }, 200],
  [{ code_verifier: `${verifier}x` }, 400],
  [{}, 400],
])('checks the code challenge against %j', async (fields, status) => {
  const sample = await createConnected();
  const code = await codeFor(sample, pkce);
  expect((await exchange(sample, { code, ...fields })).status).toBe(status);
});

it('issues a new refresh token each time, and revokes all tokens if an old one is reused', async () => {
  const sample = await createConnected();
  const refresh = (token: unknown) =>
    exchange(sample, { grant_type: 'refresh_token', refresh_token: String(token) });
  const first = (await exchange(sample, { code: await codeFor(sample) })).body.refresh_token;
  const second = (await refresh(first)).body.refresh_token;
  expect(second).not.toBe(first);
  const third = (await refresh(second)).body.refresh_token;
  expect(await refresh(first)).toEqual(
    refused('The refresh token was already used, so all tokens of this connection were revoked.'),
  );
  expect(await refresh(third)).toEqual(refused('The refresh token is unknown or was revoked.'));
});

it('accepts tokens from the loaded state, but none issued after that state was saved', async () => {
  const sample = await createConnected();
  const { control } = sample;
  const refresh = (token: unknown) =>
    exchange(sample, { grant_type: 'refresh_token', refresh_token: String(token) });
  const saved = (await exchange(sample, { code: await codeFor(sample) })).body.refresh_token;
  await control('PUT', '/snapshots/connected');
  const later = (await refresh(saved)).body.refresh_token;
  await control('POST', '/snapshots/connected/load');
  expect((await refresh(later)).status).toBe(400);
  expect(await refresh(saved)).toMatchObject({ status: 200 });
});

it.each([
  [{ client_secret: '' }, 401, 'invalid_client'],
  [{ grant_type: 'password' }, 400, 'unsupported_grant_type'],
  [{ code: 'localcode_unknown' }, 400, 'invalid_grant'],
])('rejects a token request with %j', async (fields, status, error) => {
  expect(await exchange(await createConnected(), fields)).toMatchObject({ status, body: { error } });
});
