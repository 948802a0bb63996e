import { expect, it, test } from 'vitest';
import { createIntegration } from '../../../src/runtime/create-integration.js';
import { sealOAuthState } from '../../../src/protocol/oauth/oauth-state.js';
import { createOAuthHandler } from '../../../src/runtime/oauth/create-oauth-handler.js';
import { consoleOrigin, startSample, origin } from '../emulator-under-test.js';
import { authorize, browse, callback, connected, createConnected } from './connected-sample.js';

it.each([false, true])('connects an account offline with PKCE set to %s', async (pkce) => {
  const sample = await createConnected({}, { pkce });
  const { response, trip } = await browse(sample, callback);
  expect(response.status).toBe(200);
  expect(await response.text()).toContain('You can close this window now.');
  expect(trip.map((url) => new URL(url).pathname)).toEqual([
    '/v1/integrations/sample/installations/installation_1/oauth',
    '/oauth/authorize',
    '/v1/integrations/sample/installations/installation_1/oauth',
  ]);
  expect(new URL(trip[1] ?? '').searchParams.get('audience')).toBe('docs');

  await sample.emulator.settled();
  await sample.get('/v1/integrations/sample/installations/installation_1/oauth');
  const { installation } = sample.calls.at(-1)?.environment ?? {};
  expect(installation?.status).toBe('active');
  expect(installation?.configuration.oauth_credentials).toMatchObject({
    access_token: expect.stringMatching(/^localaccess_/),
    refresh_token: expect.stringMatching(/^localrefresh_/),
  });
  const setups = sample.events().filter(({ type }) => type === 'installation_setup');
  expect(setups.map((event) => 'status' in event && event.status)).toEqual(['pending', 'active']);
});

it.each(['', '/sites/site_local', '/spaces/space_local'])(
  "redirects through the integration's URL to the installation's route (%s)",
  async (below) => {
    const routed = createIntegration({
      fetch: (request, context) => {
        const { siteInstallation, spaceInstallation, installation, integration } = context.environment;
        const { urls } = siteInstallation ?? spaceInstallation ?? installation ?? integration;
        if (new URL(request.url).pathname !== `${new URL(urls.publicEndpoint).pathname}/oauth`)
          return new Response('No route', { status: 404 });
        return createOAuthHandler({
          redirectURL: `${integration.urls.publicEndpoint}/oauth`,
          clientId: context.environment.secrets.CLIENT_ID ?? '',
          clientSecret: context.environment.secrets.CLIENT_SECRET ?? '',
          authorizeURL: 'https://provider.example.com/authorize',
          accessTokenURL: 'https://provider.example.com/token',
        })(request, context);
      },
    });
    const sample = await startSample(routed, {
      integration: connected,
      oauthProvider: 'local',
      oauth: 'approve',
    });
    const start = `${origin}/v1/integrations/sample/installations/installation_1${below}/oauth`;
    const { response, trip } = await browse(sample, start);
    expect(await response.text()).toContain('You can close this window now.');
    expect(new URL(trip.at(-1) ?? '').pathname).toBe('/v1/integrations/sample/oauth');
    await sample.get(start);
    const { siteInstallation, spaceInstallation, installation } = sample.calls.at(-1)?.environment ?? {};
    expect((siteInstallation ?? spaceInstallation ?? installation)?.configuration).toHaveProperty(
      'oauth_credentials.access_token',
    );
  },
);

it("shows the token exchange with the author's original URL", async () => {
  const sample = await createConnected();
  await (await browse(sample, callback)).response.text();
  const entries = sample.store.callLog.list().map(({ call }) => call);
  expect(entries.flatMap(({ outbound }) => outbound.map(({ method, url }) => `${method} ${url}`))).toContain(
    'POST https://provider.example.com/token',
  );
  const everything = JSON.stringify([entries, sample.happened]);
  expect(everything).not.toContain('canary-client-secret');
  expect(everything).not.toMatch(/localaccess_[\w-]{20}/);
});

it('stores nothing if the user denies access', async () => {
  const sample = await createConnected({ oauth: 'deny' });
  const { response } = await browse(sample, callback);
  expect(response.status).toBe(400);
  await sample.get(callback);
  expect(sample.calls.at(-1)?.environment.installation?.configuration).toEqual({});
});

it.each([
  ['expired-code', 500, {}],
  [
    'no-refresh-token',
    200,
    { oauth_credentials: { access_token: expect.any(String), expires_at: expect.any(Number) } },
  ],
] as const)('simulates the selected outcome %s', async (outcome, status, stored) => {
  const byOption = await createConnected({ oauth: outcome });
  const byButton = await createConnected({ oauth: 'ask' });
  const asked = await browse(byButton, callback);
  const form = { method: 'POST', headers: { Origin: consoleOrigin }, body: `decision=${outcome}` };
  for (const [sample, { response }] of [
    [byOption, await browse(byOption, callback)],
    [byButton, await browse(byButton, asked.trip.at(-1) ?? '', form)],
  ] as const) {
    expect(response.status).toBe(status);
    await response.text();
    await sample.get(callback);
    expect(sample.calls.at(-1)?.environment.installation?.configuration).toEqual(stored);
  }
});

it('asks the user for consent on a page that works without JavaScript', async () => {
  const sample = await createConnected({ oauth: 'ask' });
  const { response, trip } = await browse(sample, callback);
  const page = await response.text();
  expect(response.status).toBe(200);
  expect(page).toContain('<h1>Connect Sample?</h1>');
  expect(page).not.toContain('<script');
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(page).not.toContain('data-theme');
  await sample.control('PUT', '/preferences/theme', { value: 'dark' });
  expect(await (await sample.get(trip.at(-1) ?? '')).text()).toContain('data-theme="dark"');
  const form = { method: 'POST', headers: { Origin: consoleOrigin }, body: 'decision=approve' };
  const { response: after } = await browse(sample, trip.at(-1) ?? '', form);
  expect(await after.text()).toContain('You can close this window now.');
});

it('uses the real OAuth provider by default', async () => {
  const sample = await createConnected({ oauthProvider: 'real' });
  const response = await sample.get(callback);
  expect(new URL(response.headers.get('location') ?? '').host).toBe('provider.example.com');
});

it.each([
  ['a missing client', { client_id: undefined }],
  ['a missing redirect URL', { redirect_uri: undefined }],
  ['a redirect to another host', { redirect_uri: 'https://evil.example.com/v1/integrations/sample' }],
  ['a redirect to a host that starts so', { redirect_uri: `${origin}.evil.example.com/v1/integrations/x` }],
  ['a redirect with a user', { redirect_uri: 'http://127.0.0.1:4100@evil.example.com/v1/integrations/x' }],
  ['a redirect to another path on the platform', { redirect_uri: `${origin}/console` }],
])('never redirects to the client for %s', async (_, changes) => {
  const response = await authorize(await createConnected(), changes);
  expect(response.status).toBe(400);
  expect(response.headers.get('location')).toBeNull();
});

it.each([
  [{ response_type: 'token' }, 'unsupported_response_type'],
  [{ code_challenge: 'x'.repeat(43), code_challenge_method: 'plain' }, 'invalid_request'],
  [{ code_challenge: 'short', code_challenge_method: 'S256' }, 'invalid_request'],
])('redirects to the client with the error: %j', async (changes, error) => {
  const response = await authorize(await createConnected(), changes);
  const { searchParams } = new URL(response.headers.get('location') ?? '');
  expect(searchParams.get('error')).toBe(error);
  expect(searchParams.get('state')).toBe('xyz');
});

it('escapes the text on the authorization page', async () => {
  const sample = await createConnected({ oauth: 'ask' });
  const response = await authorize(sample, { client_id: '"><script>alert(1)</script>', scope: '<b>' });
  expect(await response.text()).not.toMatch(/<script|<b>/);
});

test('forwards a callback at the shared URL to the target in the OAuth state', async () => {
  const seen: string[] = [];
  const script = createIntegration({
    async fetch(request) {
      seen.push(request.url);
      return new Response('OK');
    },
  });
  const sample = await startSample(script);
  const path = 'integrations/sample/installations/installation_1/sites/site_local';
  const sealed = await sealOAuthState({ path, issued: 0 }, 'secret');
  const all = `${origin}/v1/integrations/sample`;
  await sample.get(`${all}/oauth?code=c&state=${sealed}`);
  await sample.get(`${all}/oauth?code=c&state=other`);
  expect(seen).toEqual([
    `${all}/installations/installation_1/sites/site_local/oauth?code=c&state=${sealed}`,
    `${all}/oauth?code=c&state=other`,
  ]);
});
