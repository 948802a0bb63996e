import { endpointsAt } from '../../src/emulator/state/script-environments.js';
import { createOAuthHandler, type OAuthConfig, type RuntimeContext } from '../../src/runtime/index.js';
import type { OAuthWorld } from './oauth-world.js';

const endpoint = 'http://127.0.0.1:4000/v1/integrations/demo/installations/ins_1';
export const oauthURL = `${endpoint}/oauth`;

const common = {
  installation: 'ins_1',
  integration: 'demo',
  status: 'active' as const,
  configuration: {},
  externalIds: [],
};
export const siteInstallation = { ...common, site: 'site_1', urls: endpointsAt(`${endpoint}/sites/site_1`) };
export const spaceInstallation = {
  ...common,
  space: 'space_1',
  urls: endpointsAt(`${endpoint}/spaces/space_1`),
};

/** Does what a user does in an OAuth flow: goes to the provider and comes back. */
export function createTraveller(oauth: OAuthWorld) {
  const configOf = (overrides: Partial<OAuthConfig> = {}): OAuthConfig => ({
    clientId: 'client-1',
    clientSecret: 'secret-1',
    authorizeURL: `${oauth.url}/authorize`,
    accessTokenURL: `${oauth.url}/token`,
    ...overrides,
  });

  async function depart<Answer>(
    config: OAuthConfig<Answer>,
    context = oauth.contextOf(),
    url = oauthURL,
  ): Promise<URL> {
    const response = await createOAuthHandler(config)(new Request(url), context);
    if (response.status !== 302) throw new Error(`no redirect: ${response.status}`);
    return new URL(response.headers.get('location') ?? '');
  }

  const stateOf = async (...given: Parameters<typeof depart>): Promise<string> =>
    (await depart(...given)).searchParams.get('state') ?? '';

  const comeBack = <Answer>(
    config: OAuthConfig<Answer>,
    query: Record<string, string>,
    context: RuntimeContext = oauth.contextOf(),
    options = {},
  ): Promise<Response> => {
    const url = `${oauthURL}?${new URLSearchParams(query).toString()}`;
    return createOAuthHandler(config, options)(new Request(url), context);
  };

  async function roundTrip<Answer>(
    config: OAuthConfig<Answer>,
    context?: RuntimeContext,
    options?: object,
  ): Promise<Response> {
    const state = (await depart(config, context)).searchParams.get('state') ?? '';
    return comeBack(config, { code: 'code-1', state }, context, options);
  }
  return { configOf, depart, stateOf, comeBack, roundTrip };
}
