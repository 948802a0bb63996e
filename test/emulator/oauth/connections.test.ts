import { expect, it, test } from 'vitest';
import type { Connection, ConnectionStep } from '../../../src/contract/routes/connections.js';
import {
  createIntegration,
  createOAuthHandler,
  ExposableError,
  getOAuthToken,
  type OAuthConfig,
  type OAuthConfiguration,
} from '../../../src/runtime/index.js';
import { startSample, type Sample } from '../emulator-under-test.js';
import { browse, callback, connected, createConnected } from './connected-sample.js';

const read = async ({ control }: Sample, query = ''): Promise<Connection[]> =>
  (await control<Connection[]>('GET', `/connections${query}`)).body;

/** The steps with how they went: `authorize done, consent failed`. */
const course = (connection: Connection | undefined): string =>
  (connection?.steps ?? [])
    .flatMap(({ name, state }) => (state === 'not-reached' ? [] : [`${name} ${state}`]))
    .join(', ');

const failedStep = (connection: Connection | undefined): ConnectionStep | undefined =>
  connection?.steps.find(({ state }) => state === 'failed');

/** Goes to the provider; what comes back is changed on the way. */
async function comeBack(sample: Sample, change: (back: URL) => void | Promise<void>): Promise<Response> {
  const away = await sample.get(callback);
  const decided = await sample.get(away.headers.get('location') ?? '');
  const back = new URL(decided.headers.get('location') ?? '');
  await change(back);
  return sample.get(back.href);
}

it('shows what each step of an OAuth connection sent, received and stored, without secrets', async () => {
  const sample = await createConnected({}, { pkce: true });
  const { response } = await browse(sample, callback);
  await response.text();
  await sample.emulator.settled();
  const [connection, ...others] = await read(sample);
  expect(others).toEqual([]);
  expect(connection).toMatchObject({
    outcome: 'connected',
    target: { installation: 'installation_1' },
    startUrl: callback,
  });
  expect(course(connection)).toBe(
    'authorize done, consent done, return done, exchange done, extract done, store done',
  );
  expect(connection?.steps[0]?.verdict).toBe(
    'redirect to provider.example.com, replaced by the built-in provider',
  );
  const shown = Object.fromEntries(
    connection?.steps.map(({ name, sent, received }) => [
      name,
      [sent, received].map((facts) => Object.fromEntries(facts.map((fact) => [fact.name, fact.value]))),
    ]) ?? [],
  );
  expect(shown).toMatchObject({
    authorize: [
      { request: 'GET /oauth' },
      { redirect: 'https://provider.example.com/authorize', scope: 'read write', redirect_uri: callback },
    ],
    consent: [{ page: 'https://provider.example.com/authorize' }, { code: '•••' }],
    return: [{ code: '•••' }, { 'state issued for': 'integrations/sample/installations/installation_1' }],
    exchange: [
      {
        request: 'POST https://provider.example.com/token',
        grant_type: 'authorization_code',
        code: '•••',
        client_secret: '•••',
        code_verifier: '•••',
      },
      { status: '200', access_token: '•••', refresh_token: '•••', expires_in: '3600' },
    ],
    extract: [{ fields: 'access_token, token_type, expires_in, scope, refresh_token' }, {}],
    store: [
      {
        request: 'PATCH /api/v1/integrations/sample/installations/installation_1',
        'configuration.oauth_credentials': expect.stringContaining('"access_token":"•••"'),
      },
      { status: '200', installation: 'active' },
    ],
  });
  expect(JSON.stringify(connection)).not.toMatch(/local(access|refresh|code)_\w|canary-client-secret/);
  expect(connection?.steps.map(({ call }) => call)).toEqual([
    connection?.id,
    undefined,
    ...Array<unknown>(4).fill(expect.stringMatching(/^call_/)),
  ]);
});

const extractCredentials = (): never => {
  throw new Error('the team is not on the list');
};

interface Failing {
  name: string;
  options?: Parameters<typeof createConnected>[0];
  config?: Partial<OAuthConfig>;
  change?: (back: URL, sample: Sample) => void | Promise<void>;
  steps: string;
  message: string;
}

const cases: Failing[] = [
  {
    name: 'the user denies access',
    options: { oauth: 'deny' },
    steps: 'authorize done, consent failed',
    message: 'The provider sent the user back with access_denied: The user denied access.',
  },
  {
    name: 'the state was changed',
    change: (back) => back.searchParams.set('state', 'x~1~y~z'),
    steps: 'authorize done, consent done, return failed',
    message: 'The returned state does not match the state that was sent.',
  },
  {
    name: 'the state is missing',
    change: (back) => back.searchParams.delete('state'),
    steps: 'authorize done, consent done, return failed',
    message: 'The provider did not return a state.',
  },
  {
    name: 'the state is too old',
    change: (_, { clock }) => clock.advance(11 * 60_000),
    steps: 'authorize done, consent done, return failed',
    message: 'The state is 11 minutes old. It is valid for 10 minutes.',
  },
  {
    name: 'the code has expired',
    options: { oauth: 'expired-code' },
    steps: 'authorize done, consent done, return done, exchange failed',
    message: 'The token endpoint responded with 400: invalid_grant: The code has expired.',
  },
  {
    name: 'extractCredentials throws',
    config: { extractCredentials },
    steps: 'authorize done, consent done, return done, exchange done, extract failed',
    message: 'Error: the team is not on the list',
  },
  {
    name: 'the script rejects the account',
    config: {
      extractCredentials() {
        throw new ExposableError('No team is connected.', 403);
      },
    },
    steps: 'authorize done, consent done, return done, exchange done, extract failed',
    message: 'The script responded with 403: {"error":"No team is connected."}',
  },
  {
    name: 'there is no client id',
    config: { clientId: '' },
    steps: 'authorize failed',
    message: 'Set the secrets for clientId and clientSecret.',
  },
];

it.each(cases)('shows the failed step and why if $name', async ({ options, config, change, ...wanted }) => {
  const sample = await createConnected(options, config);
  const response = change
    ? await comeBack(sample, (back) => change(back, sample))
    : (await browse(sample, callback)).response;
  await response.text();
  const [connection] = await read(sample);
  expect(course(connection)).toBe(wanted.steps);
  expect(failedStep(connection)?.failure?.message).toBe(wanted.message);
  expect(connection?.outcome).toBe('failed');
});

it('shows why the token endpoint could not be reached', async () => {
  const sample = await createConnected({ oauthProvider: 'real' });
  const away = new URL((await sample.get(callback)).headers.get('location') ?? '');
  const state = away.searchParams.get('state') ?? '';
  await (await sample.get(`${callback}?${new URLSearchParams({ code: 'c', state })}`)).text();
  const [connection] = await read(sample);
  expect(course(connection)).toMatch(/return done, exchange failed$/);
  expect(failedStep(connection)?.failure?.message).toMatch(
    /^POST https:\/\/provider[.]example[.]com\/token: .*Nothing here may call/,
  );
});

it('shows the type and the beginning of a response that is not JSON', async () => {
  const page = '<!doctype html><title>Sign in</title><p>Please sign in first.</p>';
  const sample = await createConnected({
    oauthProvider: 'real',
    outside: async () => new Response(page, { headers: { 'content-type': 'text/html; charset=utf-8' } }),
  });
  const away = new URL((await sample.get(callback)).headers.get('location') ?? '');
  const state = away.searchParams.get('state') ?? '';
  await (await sample.get(`${callback}?${new URLSearchParams({ code: 'c', state })}`)).text();
  const [connection] = await read(sample);
  expect(connection?.redirectUrl).toBe(callback);
  // The code is hidden wherever the call is shown.
  const back = connection?.steps[2]?.call ?? '';
  const { body: call } = await sample.control<{ request: { url: string } }>('GET', `/calls/${back}`);
  expect(call.request.url).toContain(`${callback}?code=•••&state=`);
  expect(JSON.stringify(call)).not.toMatch(/code=c\b/);
  const { body: outbound } = await sample.control('GET', `/calls/${back}/outbound/0`);
  expect(JSON.stringify(outbound)).toContain('code=•••');
  expect(connection?.steps.map(({ name, verdict }) => [name, verdict])).toEqual([
    ['authorize', 'redirect to provider.example.com'],
    ['consent', 'code received'],
    ['return', 'state accepted'],
    ['exchange', 'HTML instead of JSON'],
    ['extract', undefined],
    ['store', undefined],
  ]);
  expect(failedStep(connection)?.failure?.message).toBe(
    'The token endpoint responded with 200 and HTML instead of JSON.',
  );
  expect(failedStep(connection)?.received).toEqual([
    { name: 'status', value: '200' },
    { name: 'content type', value: 'text/html; charset=utf-8' },
    { name: 'body begins with', value: page },
  ]);
});

it('shows a URL that the built-in provider rejects', async () => {
  const sample = await createConnected({}, { redirectURL: 'https://elsewhere.example.com/oauth' });
  await sample.get(callback);
  const [connection] = await read(sample);
  expect(course(connection)).toBe('authorize done, consent failed');
  expect(failedStep(connection)?.failure?.message).toMatch(/^The redirect_uri must be one of/);
  const { body } = await sample.control<{ severity: string; reason: string }[]>('GET', '/calls');
  expect(body.at(-1)).toMatchObject({
    severity: 'error',
    reason: expect.stringMatching(
      /^The redirect_uri must be .*, but is https:[/][/]elsewhere[.]example[.]com[/]oauth[.]$/,
    ),
  });
});

test('finds a waiting connection by its calls and its target', async () => {
  const sample = await createConnected();
  await (await browse(sample, callback)).response.text();
  await sample.get(callback);
  const [waiting, done] = await read(sample);
  expect(course(waiting)).toBe('authorize done, consent running');
  expect(waiting?.outcome).toBe('running');
  const back = done?.steps.at(-1)?.call;
  expect(await read(sample, `?call=${back}`)).toEqual([done]);
  expect(await read(sample, '?installation=installation_1')).toHaveLength(2);
  expect(await read(sample, '?installation=installation_1&site=site_local')).toEqual([]);
});

test('does not treat unrelated requests or callbacks without OAuth as connections', async () => {
  const sample = await startSample({ fetch: async () => new Response('Done.') }, { integration: connected });
  for (const path of ['/oauth', '/other?code=1', '/other?error=x'])
    await sample.get(callback.replace('/oauth', path));
  expect(await read(sample)).toEqual([]);
});

it("shows a token refresh with its steps, the provider's response and the author's line", async () => {
  const config = {
    clientId: 'the-client-id',
    clientSecret: 'canary-client-secret',
    authorizeURL: 'https://provider.example.com/authorize',
    accessTokenURL: 'https://provider.example.com/token',
  };
  let token = (): Response => Response.json({ access_token: 'at-1', refresh_token: 'rt-1', expires_in: 60 });
  const script = createIntegration({
    async fetch(request, context) {
      const { configuration } = context.environment.installation ?? {};
      const credentials = configuration?.['oauth_credentials'] as OAuthConfiguration;
      if (request.url.includes('/oauth')) return createOAuthHandler(config)(request, context);
      return new Response((await getOAuthToken(credentials, config, context)).slice(0, 2));
    },
  });
  const sample = await startSample(script, { integration: connected, outside: async () => token() });
  const away = new URL((await sample.get(callback)).headers.get('location') ?? '');
  const state = away.searchParams.get('state') ?? '';
  await (await sample.get(`${callback}?${new URLSearchParams({ code: 'c', state })}`)).text();
  const profile = callback.replace('/oauth', '/profile');

  await sample.clock.advance(120_000);
  expect(await (await sample.get(profile)).text()).toBe('at');
  const [refreshed, connection] = await read(sample);
  expect([refreshed?.refresh, refreshed?.outcome, connection?.refresh]).toEqual([
    true,
    'connected',
    undefined,
  ]);
  expect(course(refreshed)).toBe('exchange done, extract done, store done');

  await sample.clock.advance(120_000);
  token = () => Response.json({ error: 'invalid_grant' }, { status: 400 });
  await (await sample.get(profile)).text();
  const [failed] = await read(sample);
  expect(course(failed)).toBe('exchange failed');
  expect(failedStep(failed)?.hint).toContain('Connect again.');
  expect(failedStep(failed)?.failure).toMatchObject({
    message: 'The token endpoint responded with 400: invalid_grant',
  });
  expect(await read(sample, `?call=${failed?.id}`)).toMatchObject([{ refresh: true, outcome: 'failed' }]);
  expect(JSON.stringify(await read(sample))).not.toMatch(/canary|rt-1|at-1/);
});
