import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { OAuthResponse, RuntimeContext } from '../../../src/runtime/index.js';
import { environment } from '../../support/environment.js';
import { createTraveller, siteInstallation, spaceInstallation } from '../../support/oauth-traveller.js';
import { createOAuthWorld, type OAuthWorld } from '../../support/oauth-world.js';

let oauth: OAuthWorld;
let traveller: ReturnType<typeof createTraveller>;
beforeEach(async () => {
  oauth = await createOAuthWorld();
  traveller = createTraveller(oauth);
});
afterEach(() => oauth.close());

describe('checking the OAuth state', () => {
  const states: [string, () => Promise<string | undefined>, (() => RuntimeContext)?][] = [
    ['missing', async () => undefined],
    ['empty', async () => ''],
    ['malformed', async () => 'x.y'],
    ['altered', async () => swapFirst(await good())],
    [
      'signed by another secret',
      async () => traveller.stateOf(traveller.configOf({ clientSecret: 'other' })),
    ],
    ['followed by an extra dot', async () => `${await good()}.`],
    [
      'too old',
      async () => {
        const state = await good();
        oauth.world.now += 601_000;
        return state;
      },
    ],
    [
      'created for another installation',
      () => good(),
      () => oauth.contextOf({ installation: { ...installation(), id: 'ins_2' } }),
    ],
    [
      'created for the account but used for a site',
      () => good(),
      () => oauth.contextOf({ siteInstallation }),
    ],
    [
      'created for another site',
      async () => traveller.stateOf(traveller.configOf(), oauth.contextOf({ siteInstallation })),
      () => oauth.contextOf({ siteInstallation: { ...siteInstallation, site: 'site_2' } }),
    ],
    [
      'created for another space',
      async () => traveller.stateOf(traveller.configOf(), oauth.contextOf({ spaceInstallation })),
      () => oauth.contextOf({ spaceInstallation: { ...spaceInstallation, space: 'space_2' } }),
    ],
  ];
  test.each(states)(
    'rejects an OAuth state without requesting a token if the state is %s',
    async (_, makeState, makeContext) => {
      const state = await makeState();
      const query = { code: 'c', ...(state !== undefined && { state }) };
      const response = await traveller.comeBack(traveller.configOf(), query, makeContext?.());
      expect(response.status).toBe(400);
      expect(await response.text()).toContain('invalid or has expired');
      expect([oauth.world.tokenRequests, oauth.world.writes]).toEqual([[], []]);
    },
  );

  test('accepts an OAuth state after nine minutes', async () => {
    const state = await good();
    oauth.world.now += 540_000;
    expect((await traveller.comeBack(traveller.configOf(), { code: 'c', state })).status).toBe(200);
  });

  const good = (): Promise<string> => traveller.stateOf(traveller.configOf());
  const swapFirst = (state: string): string => (state.startsWith('A') ? 'B' : 'A') + state.slice(1);
  const installation = () => {
    const { installation: given } = environment();
    if (!given) throw new Error('no installation');
    return given;
  };
});

describe('an OAuth flow that fails', () => {
  test('stores nothing if the user denies access', async () => {
    const response = await traveller.comeBack(traveller.configOf(), {
      error: 'access_denied',
      state: 'x',
      code: 'c',
    });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('<p>access_denied</p>');
    expect([oauth.world.tokenRequests, oauth.world.writes]).toEqual([[], []]);
  });

  test("shows the provider's message as text, not as markup", async () => {
    const query = { error: 'e', error_description: '<script>alert("1")</script>' };
    expect(await (await traveller.comeBack(traveller.configOf(), query)).text()).toContain(
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
    oauth.world.token = answer;
    await expect(traveller.roundTrip(traveller.configOf())).rejects.toThrow();
    expect(oauth.world.writes).toEqual([]);
  });

  test.each(answers.filter(([name]) => !/nothing|null/.test(name)))(
    'stores nothing for %s even if extractCredentials does not check the response',
    async (_, answer) => {
      oauth.world.token = answer;
      const extractCredentials = () => ({ configuration: { oauth_credentials: { access_token: 'x' } } });
      await expect(traveller.roundTrip(traveller.configOf({ extractCredentials }))).rejects.toMatchObject({
        message: expect.stringMatching(/^The provider returned no access_token: /),
      });
      expect(oauth.world.writes).toEqual([]);
    },
  );

  test('explains why the flow failed, and includes the line of the call in the stack', async () => {
    oauth.world.token = () => Response.json({ error: 'invalid_grant' }, { status: 400 });
    const error = await traveller.roundTrip(traveller.configOf()).catch((caught: unknown) => caught);
    expect((error as Error).message).toBe('The provider returned no access_token: invalid_grant');
    expect((error as Error).stack).toContain('oauth-traveller.ts');
  });

  test('explains that the token endpoint returned an HTML page', async () => {
    oauth.world.token = () => new Response('<!doctype html><title>Sign in</title>');
    await expect(traveller.roundTrip(traveller.configOf())).rejects.toThrow(
      'The provider returned no access_token: HTML instead of JSON, with status 200',
    );
  });

  test('passes a failed token response to extractCredentials', async () => {
    oauth.world.token = () => Response.json({ error: 'invalid_grant' }, { status: 400 });
    const extractCredentials = (response: OAuthResponse) => {
      if (!response.ok) throw new Error(`no: ${String(response.error)}`);
      return {};
    };
    await expect(traveller.roundTrip(traveller.configOf({ extractCredentials }))).rejects.toThrow(
      'no: invalid_grant',
    );
  });
});
