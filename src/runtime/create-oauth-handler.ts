import { systemNow } from '../protocol/clock.js';
import type { Installation } from '../protocol/environment.js';
import { hmacSha256, toBase64Url, utf8 } from '../protocol/hmac.js';
import { openOAuthState, sealOAuthState, type OAuthState } from '../protocol/oauth-state.js';
import type { RuntimeCallback, RuntimeContext } from './context.js';
import type { AnyValues } from './environment.js';
import { ExposableError } from './exposable-error.js';
import type { OAuthConfig, OAuthResponse } from './oauth-config.js';
import { oauthPage } from './oauth-page.js';
import { pathOf, placeInPlay } from './oauth-place.js';
import { requestCredentials } from './token-endpoint.js';

/** Seconds within which the user must be back. */
const longestTrip = 600;

/**
 * Answers the path at which users connect an account: sends them to the provider, and on their
 * return exchanges the code and stores the credentials in the configuration of the installation
 * that they started from.
 *
 * @example
 * ```ts
 * import { createIntegration, createOAuthHandler, routePath } from 'integration-platform';
 *
 * export default createIntegration({
 *   fetch: async (request, context) => {
 *     const { environment } = context;
 *     if (routePath(request, environment) !== '/oauth') return new Response('Not found', { status: 404 });
 *     const connect = createOAuthHandler({
 *       clientId: environment.secrets.CLIENT_ID ?? '',
 *       clientSecret: environment.secrets.CLIENT_SECRET ?? '',
 *       authorizeURL: 'https://provider.example/authorize',
 *       accessTokenURL: 'https://provider.example/token',
 *       scopes: ['read'],
 *     });
 *     return connect(request, context);
 *   },
 * });
 * ```
 */
export function createOAuthHandler<Answer = OAuthResponse>(
  config: OAuthConfig<Answer>,
  options: {
    /** Replaces the configuration by the credentials, where they are merged into it otherwise. */
    replace?: boolean;
  } = {},
): RuntimeCallback<[Request], Promise<Response>> {
  return async (request, context) => {
    if (!config.clientId || !config.clientSecret) {
      throw new ExposableError('OAuth has no clientId or clientSecret. Are their secrets set?', 500);
    }
    const { origin, pathname, searchParams } = new URL(request.url);
    const redirectURL = config.redirectURL ?? origin + pathname;
    const denial = searchParams.get('error');
    if (denial !== null) {
      return oauthPage(400, 'Not connected', searchParams.get('error_description') ?? denial);
    }

    const code = searchParams.get('code');
    if (code === null) return depart(config, redirectURL, context);
    const state = await validState(config, searchParams.get('state') ?? '', context);
    if (!state) return oauthPage(400, 'Not connected', 'This link is invalid or too old. Please try again.');
    await redeem(config, { code, redirect_uri: redirectURL }, state, context, options);
    return oauthPage(200, 'Connected', 'You can close this window now.', 'close()');
  };
}

/** Sends the user to the provider. */
async function depart<Answer>(
  { authorizeURL, clientId, clientSecret, scopes, prompt, pkce }: OAuthConfig<Answer>,
  redirectURL: string,
  context: RuntimeContext,
): Promise<Response> {
  const { installation } = context.environment;
  if (!installation) return oauthPage(400, 'Not connected', 'There is no installation to connect.');
  const nonce = toBase64Url(crypto.getRandomValues(new Uint8Array(16)));
  const issued = Math.floor(now(context) / 1000);
  const state = { ...placeInPlay(context), installation: installation.id, nonce, issued };
  const url = new URL(typeof authorizeURL === 'function' ? authorizeURL(installation) : authorizeURL);
  const query = {
    client_id: clientId,
    redirect_uri: redirectURL,
    response_type: 'code',
    state: await sealOAuthState(state, clientSecret),
    ...(scopes?.length && { scope: scopes.join(' ') }),
    ...(prompt && { prompt }),
    ...(pkce && {
      code_challenge: await sha256(await verifierOf(state, clientSecret)),
      code_challenge_method: 'S256',
    }),
  };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  // Not every provider reads a plus as a space.
  url.search = url.search.replaceAll('+', '%20');
  return Response.redirect(url.href);
}

/** The state of a return trip, if it was issued here, lately, and for the installation in play. */
async function validState<Answer>(
  { clientSecret }: OAuthConfig<Answer>,
  sealed: string,
  context: RuntimeContext,
): Promise<OAuthState | undefined> {
  const state = await openOAuthState(sealed, clientSecret);
  if (!state || now(context) / 1000 - state.issued > longestTrip) return undefined;
  const here = Object.entries({ ...state, ...placeInPlay(context) });
  return here.every(([key, id]) => id === state[key as keyof OAuthState]) ? state : undefined;
}

/** Exchanges the code, and stores the credentials where the state says. */
async function redeem<Answer>(
  config: OAuthConfig<Answer>,
  code: { code: string; redirect_uri: string },
  state: OAuthState,
  context: RuntimeContext,
  options: { replace?: boolean },
): Promise<void> {
  const { api } = context;
  const read = async (path: string): Promise<Installation<AnyValues>> =>
    (await api.request<Installation<AnyValues>>('GET', path)).data;
  const verifier = config.pkce && { code_verifier: await verifierOf(state, config.clientSecret) };
  const { configuration, ...others } = await requestCredentials(
    config,
    () => read(pathOf(context, { installation: state.installation })),
    { ...code, grant_type: 'authorization_code', ...verifier },
    context,
  );
  const path = pathOf(context, state);
  const before = options.replace ? {} : (await read(path)).configuration;
  await api.request('PATCH', path, { ...others, configuration: { ...before, ...configuration } });
}

const now = ({ clock }: RuntimeContext): number => clock?.now() ?? systemNow();

/** Derived, so that nothing is kept between the two trips. */
const verifierOf = async ({ nonce }: OAuthState, clientSecret: string): Promise<string> =>
  toBase64Url(await hmacSha256(clientSecret, utf8(`pkce.${nonce}`)));

const sha256 = async (text: string): Promise<string> =>
  toBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', utf8(text))));
