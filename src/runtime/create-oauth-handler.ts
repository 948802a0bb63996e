import { nowOn } from '../protocol/clock.js';
import type { Installation } from '../protocol/environment.js';
import { toBase64Url, utf8 } from '../protocol/hmac.js';
import { openOAuthState, sealOAuthState, signText, type OAuthState } from '../protocol/oauth-state.js';
import type { RuntimeCallback, RuntimeContext } from './context.js';
import type { AnyValues } from './environment.js';
import { ExposableError } from './exposable-error.js';
import type { OAuthConfig, OAuthResponse } from './oauth-config.js';
import { oauthPage } from './oauth-page.js';
import { pathOf, placeInPlay, type OAuthPlace } from './oauth-place.js';
import { requestCredentials, urlFor } from './token-endpoint.js';
import { withQuery } from './urls.js';

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
export const createOAuthHandler =
  <Answer = OAuthResponse>(
    config: OAuthConfig<Answer>,
    options: {
      /** Replaces the configuration by the credentials, where they are merged into it otherwise. */
      replace?: boolean;
    } = {},
  ): RuntimeCallback<[Request], Promise<Response>> =>
  async (request, context) => {
    if (!config.clientId || !config.clientSecret) {
      throw new ExposableError('OAuth has no clientId or clientSecret. Are their secrets set?', 500);
    }
    const { origin, pathname, searchParams } = new URL(request.url);
    const redirect_uri = config.redirectURL ?? origin + pathname;
    const { error, error_description, code, state: sealed = '' } = Object.fromEntries(searchParams);
    if (error !== undefined) return oauthPage(false, error_description ?? error);
    if (code === undefined) return depart(config, redirect_uri, context);

    const state = await openOAuthState(sealed, config.clientSecret);
    if (!state || !isCurrent(state, context)) {
      return oauthPage(false, 'This link is invalid or too old. Please try again.');
    }
    await redeem(config, { code, redirect_uri }, state, context, options);
    return oauthPage(true, 'You can close this window now.');
  };

/** Sends the user to the provider. */
async function depart<Answer>(
  { authorizeURL, clientId, clientSecret, scopes, prompt, pkce }: OAuthConfig<Answer>,
  redirect_uri: string,
  context: RuntimeContext,
): Promise<Response> {
  const { installation } = context.environment;
  if (!installation) return oauthPage(false, 'There is no installation to connect.');
  const state = {
    ...placeInPlay(context),
    installation: installation.id,
    nonce: crypto.randomUUID(),
    issued: Math.floor(nowOn(context.clock) / 1000),
  };
  const url = withQuery(urlFor(authorizeURL, installation), {
    client_id: clientId,
    redirect_uri,
    response_type: 'code',
    state: await sealOAuthState(state, clientSecret),
    scope: scopes?.join(' ') || null,
    prompt: prompt || null,
    ...(pkce && {
      code_challenge: await challengeOf(await verifierOf(state, clientSecret)),
      code_challenge_method: 'S256',
    }),
  });
  // Not every provider reads a plus as a space.
  return Response.redirect(url.replace(/[?].*/, (query) => query.replaceAll('+', '%20')));
}

/** Whether a state was issued lately, and for the installation in play. */
const isCurrent = (state: OAuthState, context: RuntimeContext): boolean =>
  nowOn(context.clock) / 1000 - state.issued <= longestTrip &&
  Object.entries(placeInPlay(context)).every(([key, id]) => !id || id === state[key as keyof OAuthState]);

/** Exchanges the code, and stores the credentials where the state says. */
async function redeem<Answer>(
  config: OAuthConfig<Answer>,
  code: { code: string; redirect_uri: string },
  state: OAuthState,
  context: RuntimeContext,
  options: { replace?: boolean },
): Promise<void> {
  const { api, environment } = context;
  const read = async (place: OAuthPlace): Promise<Installation<AnyValues>> =>
    (await api.request<Installation<AnyValues>>('GET', pathOf(context, place))).data;
  const verifier = config.pkce && { code_verifier: await verifierOf(state, config.clientSecret) };
  const { configuration, ...others } = await requestCredentials(
    config,
    environment.installation ?? (await read({ installation: state.installation })),
    { ...code, grant_type: 'authorization_code', ...verifier },
    context,
  );
  const before = !options.replace && (await read(state)).configuration;
  const change = { ...others, configuration: { ...before, ...configuration } };
  await api.request('PATCH', pathOf(context, state), change);
}

/** Derived, so that nothing is kept between the two trips. */
const verifierOf = ({ nonce }: OAuthState, clientSecret: string): Promise<string> =>
  signText(`pkce.${nonce}`, clientSecret);

const challengeOf = async (verifier: string): Promise<string> =>
  toBase64Url(await crypto.subtle.digest('SHA-256', utf8(verifier)));
