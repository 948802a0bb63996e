import { endpointsAt } from '../../../src/emulator/state/script-environments.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  getOAuthToken,
  OAuthError,
  type OAuthConfig,
  type RuntimeContext,
} from '../../../src/runtime/index.js';
import { environment } from '../../support/environment.js';
import { createOAuthWorld, type OAuthWorld } from '../../support/oauth-world.js';

const now = 1_700_000_000_000;
const place = 'installations/ins_1';
const expired = { access_token: 'at-old', refresh_token: 'rt-old', expires_at: now - 1000 };

let oauth: OAuthWorld;
beforeEach(async () => {
  oauth = await createOAuthWorld();
  oauth.world.token = () => Response.json({ access_token: 'at-new', expires_in: 100 });
  oauth.world.stored[place] = { configuration: { channel: 'general', oauth_credentials: expired } };
});
afterEach(() => oauth.close());

const config = (overrides: Partial<OAuthConfig> = {}): OAuthConfig => ({
  clientId: 'client-1',
  clientSecret: 'secret-1',
  authorizeURL: '',
  accessTokenURL: `${oauth.url}/token`,
  ...overrides,
});

const justTheAccess: OAuthConfig['extractCredentials'] = ({ access_token }) => ({
  configuration: { oauth_credentials: { access_token } },
});

test.each([
  ['it never expires', {}],
  ['it expires in 11 seconds', { expires_at: now + 11_000 }],
  ['its expiry is a date', { expires_at: '2023-11-14T22:13:31.000Z' }],
])('returns the token without a refresh if %s', async (_, end) => {
  const credentials = { access_token: 'at', ...end };
  expect(await getOAuthToken(credentials, config(), oauth.contextOf())).toBe('at');
  expect(oauth.world.tokenRequests).toEqual([]);
});

test.each([
  ['is refreshed and stored if it expired a second ago', { expires_at: now - 1000 }],
  ['is refreshed and stored if it expires in 9 seconds', { expires_at: now + 9000 }],
  ['is refreshed and stored if its expiry is a date', { expires_at: '2023-11-14T22:13:20.000Z' }],
])('an access token %s', async (_, end) => {
  const token = await getOAuthToken({ ...expired, ...end }, config(), oauth.contextOf());
  expect(token).toBe('at-new');
  expect(oauth.world.tokenRequests.map(({ form }) => form)).toEqual([
    {
      client_id: 'client-1',
      client_secret: 'secret-1',
      grant_type: 'refresh_token',
      refresh_token: 'rt-old',
    },
  ]);
  expect(oauth.world.writes).toMatchObject([
    {
      path: place,
      change: {
        configuration: {
          channel: 'general',
          oauth_credentials: { access_token: 'at-new', refresh_token: 'rt-old', expires_at: now + 100_000 },
        },
      },
    },
  ]);
});

test.each([
  ['null', {}, { refresh_token: null }],
  ['an empty string', {}, { refresh_token: '' }],
  ['not extracted by the author', { extractCredentials: justTheAccess }, {}],
])('keeps the refresh token if the new one is %s', async (_, overrides, answer) => {
  oauth.world.token = () => Response.json({ access_token: 'at-new', ...answer });
  await getOAuthToken(expired, config(overrides), oauth.contextOf());
  expect(oauth.world.stored[place]?.configuration.oauth_credentials).toEqual({
    access_token: 'at-new',
    refresh_token: 'rt-old',
  });
});

test('refreshes a token only once for ten concurrent callers', async () => {
  const calls = Array.from({ length: 10 }, () => getOAuthToken(expired, config(), oauth.contextOf()));
  expect(await Promise.all(calls)).toEqual(Array.from({ length: 10 }, () => 'at-new'));
  expect([oauth.world.tokenRequests.length, oauth.world.writes.length]).toEqual([1, 1]);
});

test('does not refresh a token twice for a caller that still has the old one', async () => {
  await getOAuthToken(expired, config(), oauth.contextOf());
  expect(await getOAuthToken(expired, config(), oauth.contextOf())).toBe('at-new');
  expect(oauth.world.tokenRequests).toHaveLength(1);
});

test('refreshes the token for the next caller after a failed refresh', async () => {
  oauth.world.token = () => Response.json({ error: 'temporarily_unavailable' }, { status: 503 });
  await expect(getOAuthToken(expired, config(), oauth.contextOf())).rejects.toThrow();
  expect(oauth.world.writes).toEqual([]);
  oauth.world.token = () => Response.json({ access_token: 'at-2', refresh_token: 'rt-2' });
  expect(await getOAuthToken(expired, config(), oauth.contextOf())).toBe('at-2');
  expect(oauth.world.stored[place]?.configuration.oauth_credentials).toEqual({
    access_token: 'at-2',
    refresh_token: 'rt-2',
  });
});

test.each([
  ['invalid_grant', 400, true],
  ['bad_refresh_token', 200, true],
  ['invalid_client', 401, false],
  ['temporarily_unavailable', 503, false],
])('sets needsReconnect after a refresh fails with %s and %i: %s', async (error, status, needsReconnect) => {
  oauth.world.token = () => Response.json({ error }, { status });
  const extractCredentials = (): never => {
    throw new Error('An error of the author.');
  };
  for (const overrides of [{}, { extractCredentials }]) {
    const thrown = await getOAuthToken(expired, config(overrides), oauth.contextOf()).catch(
      (caught: unknown) => caught,
    );
    expect(thrown).toBeInstanceOf(OAuthError);
    expect(thrown).toMatchObject({ error, needsReconnect });
    expect((thrown as Error).stack).toContain('get-oauth-token.test.ts');
  }
});

test('requires the user to reconnect if there is no refresh token', async () => {
  const { refresh_token: _, ...credentials } = expired;
  await expect(getOAuthToken(credentials, config(), oauth.contextOf())).rejects.toMatchObject({
    name: 'OAuthError',
    needsReconnect: true,
  });
});

test("with basic authentication, sends the client's credentials only in the header", async () => {
  const clientSecret = 'ü:% secret';
  await getOAuthToken(expired, config({ clientAuthentication: 'basic', clientSecret }), oauth.contextOf());
  const [{ form, headers } = { form: {}, headers: {} }] = oauth.world.tokenRequests;
  expect(form).toEqual({ grant_type: 'refresh_token', refresh_token: 'rt-old' });
  const encoded = Buffer.from('client-1:%C3%BC%3A%25%20secret').toString('base64');
  expect(headers).toMatchObject({ authorization: `Basic ${encoded}` });
});

test('stores a refreshed token for the site that it belongs to', async () => {
  const site = 'installations/ins_1/sites/site_1';
  const configuration = { oauth_credentials: expired };
  oauth.world.stored[site] = { configuration };
  const context = oauth.contextOf({
    siteInstallation: {
      site: 'site_1',
      installation: 'ins_1',
      integration: 'demo',
      status: 'active',
      configuration,
      externalIds: [],
      urls: endpointsAt('http://x/'),
    },
  });
  await getOAuthToken(expired, config(), context);
  expect(oauth.world.writes.map(({ path }) => path)).toEqual([site]);
});

test("refreshes a token with the author's accessTokenURL and extractCredentials", async () => {
  const token = await getOAuthToken(
    expired,
    config({
      accessTokenURL: ({ id }) => `${oauth.url}/token?of=${id}`,
      extractCredentials: (response) => ({
        configuration: { oauth_credentials: { access_token: `${response.access_token}!` } },
      }),
    }),
    oauth.contextOf(),
  );
  expect(token).toBe('at-new!');
});

test("passes an unfinished token refresh to the host's waitUntil", async () => {
  const handed: Promise<unknown>[] = [];
  const context: RuntimeContext = { ...oauth.contextOf(), waitUntil: (promise) => handed.push(promise) };
  await getOAuthToken(expired, config(), context);
  expect(handed).toHaveLength(1);
});

test('fails the call if the refresh token or the installation is missing', async () => {
  const { refresh_token: _, ...credentials } = expired;
  await expect(getOAuthToken(credentials, config(), oauth.contextOf())).rejects.toThrow(/no refresh_token/);
  const { installation: __, ...rest } = environment();
  const context = { ...oauth.contextOf(), environment: rest };
  await expect(getOAuthToken(expired, config(), context)).rejects.toThrow(/no installation/);
});
