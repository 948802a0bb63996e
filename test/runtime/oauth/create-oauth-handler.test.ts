import { createHash } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  createOAuthHandler,
  defaultOAuthExtractCredentials,
  type OAuthConfig,
  type OAuthResponse,
  type RuntimeContext,
} from '../../../src/runtime/index.js';
import { environment } from '../../support/environment.js';
import {
  createTraveller,
  oauthURL,
  siteInstallation,
  spaceInstallation,
} from '../../support/oauth-traveller.js';
import { createOAuthWorld, type OAuthWorld } from '../../support/oauth-world.js';

let oauth: OAuthWorld;
let world: OAuthWorld['world'];
type Traveller = ReturnType<typeof createTraveller>;
let configOf: Traveller['configOf'];
let depart: Traveller['depart'];
let stateOf: Traveller['stateOf'];
let comeBack: Traveller['comeBack'];
let roundTrip: Traveller['roundTrip'];
beforeEach(async () => {
  oauth = await createOAuthWorld();
  world = oauth.world;
  ({ configOf, depart, stateOf, comeBack, roundTrip } = createTraveller(oauth));
});
afterEach(() => oauth.close());

test('redirects to the provider with the OAuth parameters', async () => {
  const url = await depart(configOf());
  expect([...url.searchParams.keys()]).toEqual(['client_id', 'redirect_uri', 'response_type', 'state']);
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    client_id: 'client-1',
    redirect_uri: oauthURL,
    response_type: 'code',
  });
});

test('preserves the query parameters of authorizeURL', async () => {
  const url = await depart(
    configOf({ authorizeURL: 'https://p.example/authorize?audience=api&tenant=a%20b' }),
  );
  expect(
    url.href.startsWith('https://p.example/authorize?audience=api&tenant=a%20b&client_id=client-1&'),
  ).toBe(true);
});

test('separates scopes with spaces and includes the prompt', async () => {
  const url = await depart(configOf({ scopes: ['read:user', 'write'], prompt: 'consent' }));
  expect(url.search).toContain('&scope=read%3Auser%20write&prompt=consent');
});

test('omits scopes and prompt if they are not set', async () => {
  const { searchParams } = await depart(configOf({ scopes: [], prompt: '' }));
  expect([searchParams.has('scope'), searchParams.has('prompt')]).toEqual([false, false]);
});

test("does not copy the request's query to the redirect URL", async () => {
  const url = await depart(configOf(), oauth.contextOf(), `${oauthURL}?from=console`);
  expect(url.searchParams.get('redirect_uri')).toBe(oauthURL);
});

test('uses a fixed OAuth redirect URL if one is configured', async () => {
  const url = await depart(configOf({ redirectURL: 'https://fixed.example/oauth' }));
  expect(url.searchParams.get('redirect_uri')).toBe('https://fixed.example/oauth');
});

test('accepts an authorizeURL that depends on the installation', async () => {
  const url = await depart(configOf({ authorizeURL: ({ id }) => `https://${id}.example/authorize` }));
  expect(url.host).toBe('ins_1.example');
});

test('uses a different OAuth state each time', async () => {
  const states = await Promise.all(
    [1, 2].map(async () => (await depart(configOf())).searchParams.get('state')),
  );
  expect(states[0]).not.toBe(states[1]);
});

test('fails the OAuth redirect if there is no installation', async () => {
  const { installation: _, ...rest } = environment();
  const context = { ...oauth.contextOf(), environment: rest };
  const response = await createOAuthHandler(configOf())(new Request(oauthURL), context);
  expect(response.status).toBe(400);
});

test.each(['clientId', 'clientSecret'] as const)('fails the OAuth redirect if %s is empty', async (key) => {
  const handler = createOAuthHandler(configOf({ [key]: '' }));
  await expect(handler(new Request(oauthURL), oauth.contextOf())).rejects.toMatchObject({
    name: 'ExposableError',
    code: 500,
  });
});

test('exchanges the code and stores the credentials', async () => {
  world.token = () => Response.json({ access_token: 'at-1', refresh_token: 'rt-1', expires_in: 3600 });
  const response = await roundTrip(configOf());
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(await response.text()).toContain('close this window');
  expect(world.tokenRequests).toMatchObject([
    {
      form: {
        client_id: 'client-1',
        client_secret: 'secret-1',
        code: 'code-1',
        redirect_uri: oauthURL,
        grant_type: 'authorization_code',
      },
      headers: {
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded;charset=UTF-8',
      },
    },
  ]);
  expect(world.writes).toEqual([
    {
      path: 'installations/ins_1',
      authorization: 'Bearer token-installation',
      change: {
        configuration: {
          oauth_credentials: { access_token: 'at-1', refresh_token: 'rt-1', expires_at: 1_700_003_600_000 },
        },
      },
    },
  ]);
});

test('reads a form-encoded token response', async () => {
  world.token = () => new Response('access_token=at-2&token_type=bearer&expires_in=60');
  await roundTrip(configOf());
  expect(world.writes[0]?.change.configuration).toEqual({
    oauth_credentials: { access_token: 'at-2', expires_at: 1_700_000_060_000 },
  });
});

test("reads a token's lifetime in seconds from JSON and from form-encoded responses", async () => {
  world.token = () => new Response('access_token=at-2&expires_in=60');
  const seen: OAuthResponse[] = [];
  const config = configOf({
    extractCredentials: (response) => {
      seen.push(response);
      return {};
    },
  });
  await roundTrip(config);
  expect(seen).toEqual([{ ok: true, access_token: 'at-2', expires_in: 60 }]);
});

test.each([
  ['a site', { siteInstallation }, 'installations/ins_1/sites/site_1'],
  ['a space', { spaceInstallation }, 'installations/ins_1/spaces/space_1'],
])('stores the OAuth credentials for %s', async (_, place, path) => {
  expect((await roundTrip(configOf(), oauth.contextOf(place))).status).toBe(200);
  expect(world.writes.map((write) => write.path)).toEqual([path]);
});

test("finds the installation from the OAuth state at the integration's own URL", async () => {
  const config = configOf({ accessTokenURL: ({ id }) => `${oauth.url}/token?of=${id}` });
  const state = (await depart(config, oauth.contextOf({ siteInstallation }))).searchParams.get('state') ?? '';
  const { environment: whole, ...context } = oauth.contextOf({
    apiTokens: { integration: 'token-integration' },
  });
  const { installation: _, ...rest } = whole;
  const response = await comeBack(config, { code: 'c', state }, { ...context, environment: rest });
  expect(response.status).toBe(200);
  expect(world.writes).toMatchObject([
    { path: 'installations/ins_1/sites/site_1', authorization: 'Bearer token-integration' },
  ]);
});

test('finds the installation even if the integration has the same name as a route', async () => {
  const ids: string[] = [];
  const accessTokenURL: OAuthConfig['accessTokenURL'] = ({ id }) => {
    ids.push(id);
    return `${oauth.url}/token`;
  };
  const config = configOf({ accessTokenURL });
  const integration = { ...environment().integration, name: 'sites' };
  const state = await stateOf(config, oauth.contextOf({ integration }));
  const { installation: _, ...rest } = environment({ integration, apiEndpoint: `${oauth.url}/api` });
  await comeBack(config, { code: 'c', state }, { ...oauth.contextOf(), environment: rest });
  expect(ids).toEqual(['ins_1']);
});

test('adds the credentials to the existing configuration', async () => {
  world.stored['installations/ins_1'] = {
    configuration: { channel: 'general', oauth_credentials: { access_token: 'old', team: 'x' } },
  };
  await roundTrip(configOf());
  expect(world.writes[0]?.change).toEqual({
    configuration: { channel: 'general', oauth_credentials: { access_token: 'at-1' } },
  });
});

test('replaces the existing configuration if the replace option is set', async () => {
  world.stored['installations/ins_1'] = { configuration: { channel: 'general' } };
  await roundTrip(configOf(), undefined, { replace: true });
  expect(world.writes[0]?.change).toEqual({ configuration: { oauth_credentials: { access_token: 'at-1' } } });
});

test('supports an async extractCredentials that adds external ids', async () => {
  world.token = () => Response.json({ ok: true, access_token: 'at-3', team: { id: 'T1' } });
  const config: OAuthConfig<OAuthResponse & { team: { id: string } }> = {
    ...configOf(),
    extractCredentials: async (response) => ({
      ...defaultOAuthExtractCredentials(response),
      externalIds: [response.team.id, String(response.ok)],
    }),
  };
  await roundTrip(config);
  expect(world.writes[0]?.change).toEqual({
    externalIds: ['T1', 'true'],
    configuration: { oauth_credentials: { access_token: 'at-3' } },
  });
});

test('sends a PKCE challenge and verifier that the provider accepts', async () => {
  const config = configOf({ pkce: true });
  const url = await depart(config);
  const challenge = url.searchParams.get('code_challenge');
  expect(url.searchParams.get('code_challenge_method')).toBe('S256');
  world.token = ({ code_verifier: verifier = '' }) =>
    /^[\w.~-]{43,128}$/.test(verifier) &&
    createHash('sha256').update(verifier).digest('base64url') === challenge
      ? Response.json({ access_token: 'at-pkce' })
      : Response.json({ error: 'invalid_grant' }, { status: 400 });
  const state = url.searchParams.get('state') ?? '';
  expect((await comeBack(config, { code: 'c', state })).status).toBe(200);
  expect(url.search).not.toContain(world.tokenRequests[0]?.form.code_verifier);
});

const states: [string, () => Promise<string | undefined>, (() => RuntimeContext)?][] = [
  ['missing', async () => undefined],
  ['empty', async () => ''],
  ['malformed', async () => 'x.y'],
  ['altered', async () => swapFirst(await good())],
  ['signed by another secret', async () => stateOf(configOf({ clientSecret: 'other' }))],
  ['followed by an extra dot', async () => `${await good()}.`],
  [
    'too old',
    async () => {
      const state = await good();
      world.now += 601_000;
      return state;
    },
  ],
  [
    'created for another installation',
    () => good(),
    () => oauth.contextOf({ installation: { ...installation(), id: 'ins_2' } }),
  ],
  ['created for the account but used for a site', () => good(), () => oauth.contextOf({ siteInstallation })],
  [
    'created for another site',
    async () => stateOf(configOf(), oauth.contextOf({ siteInstallation })),
    () => oauth.contextOf({ siteInstallation: { ...siteInstallation, site: 'site_2' } }),
  ],
  [
    'created for another space',
    async () => stateOf(configOf(), oauth.contextOf({ spaceInstallation })),
    () => oauth.contextOf({ spaceInstallation: { ...spaceInstallation, space: 'space_2' } }),
  ],
];
test.each(states)('requests no token if the OAuth state is %s', async (_, makeState, makeContext) => {
  const state = await makeState();
  const query = { code: 'c', ...(state !== undefined && { state }) };
  const response = await comeBack(configOf(), query, makeContext?.());
  expect(response.status).toBe(400);
  expect(await response.text()).toContain('invalid or has expired');
  expect([world.tokenRequests, world.writes]).toEqual([[], []]);
});

test('accepts an OAuth state after nine minutes', async () => {
  const state = await good();
  world.now += 540_000;
  expect((await comeBack(configOf(), { code: 'c', state })).status).toBe(200);
});

const good = (): Promise<string> => stateOf(configOf());
const swapFirst = (state: string): string => (state.startsWith('A') ? 'B' : 'A') + state.slice(1);
const installation = () => {
  const { installation: given } = environment();
  if (!given) throw new Error('no installation');
  return given;
};

test('stores nothing if the user denies access', async () => {
  const response = await comeBack(configOf(), { error: 'access_denied', state: 'x', code: 'c' });
  expect(response.status).toBe(400);
  expect(await response.text()).toContain('<p>access_denied</p>');
  expect([world.tokenRequests, world.writes]).toEqual([[], []]);
});

test("shows the provider's message as text, not as markup", async () => {
  const query = { error: 'e', error_description: '<script>alert("1")</script>' };
  expect(await (await comeBack(configOf(), query)).text()).toContain(
    '<p>&#60;script&#62;alert(&#34;1&#34;)&#60;/script&#62;</p>',
  );
});

const answers: [string, () => Response][] = [
  ['400 with an error', () => Response.json({ error: 'invalid_grant' }, { status: 400 })],
  ['400 with a token', () => Response.json({ access_token: 'a' }, { status: 400 })],
  ['500 with invalid JSON', () => new Response('<h1>oops</h1>', { status: 500 })],
  ['200 with ok: false', () => Response.json({ ok: false, access_token: 'a' })],
  ['200 with an error', () => Response.json({ error: 'bad_verification_code' })],
  ['200 with nothing', () => new Response('')],
  ['200 with null', () => new Response('null')],
  ['400 with ok: true', () => Response.json({ ok: true, access_token: 'a' }, { status: 400 })],
];
test.each(answers)('stores nothing if the token endpoint returns %s', async (_, answer) => {
  world.token = answer;
  await expect(roundTrip(configOf())).rejects.toThrow();
  expect(world.writes).toEqual([]);
});

test.each(answers.filter(([name]) => !/nothing|null/.test(name)))(
  'stores nothing for %s even if extractCredentials does not check the response',
  async (_, answer) => {
    world.token = answer;
    const extractCredentials = () => ({ configuration: { oauth_credentials: { access_token: 'x' } } });
    await expect(roundTrip(configOf({ extractCredentials }))).rejects.toMatchObject({
      message: expect.stringMatching(/^The provider returned no access_token: /),
    });
    expect(world.writes).toEqual([]);
  },
);

test('explains why the flow failed, and includes the line of the call in the stack', async () => {
  world.token = () => Response.json({ error: 'invalid_grant' }, { status: 400 });
  const error = await roundTrip(configOf()).catch((caught: unknown) => caught);
  expect((error as Error).message).toBe('The provider returned no access_token: invalid_grant');
  expect((error as Error).stack).toContain('oauth-traveller.ts');
});

test('explains that the token endpoint returned an HTML page', async () => {
  world.token = () => new Response('<!doctype html><title>Sign in</title>');
  await expect(roundTrip(configOf())).rejects.toThrow(
    'The provider returned no access_token: HTML instead of JSON, with status 200',
  );
});

test('passes a failed token response to extractCredentials', async () => {
  world.token = () => Response.json({ error: 'invalid_grant' }, { status: 400 });
  const extractCredentials = (response: OAuthResponse) => {
    if (!response.ok) throw new Error(`no: ${String(response.error)}`);
    return {};
  };
  await expect(roundTrip(configOf({ extractCredentials }))).rejects.toThrow('no: invalid_grant');
});
