import { nowOn } from '../protocol/clock.js';
import { signText, toBase64Url, utf8 } from '../protocol/hmac.js';
import { openOAuthState, sealOAuthState, type OAuthState } from '../protocol/oauth-state.js';
import type { RuntimeCallback, RuntimeContext } from './context.js';
import { ExposableError } from '../protocol/exposable-error.js';
import type { OAuthConfig, OAuthResponse } from './oauth-config.js';
import { oauthPage } from './oauth-page.js';
import { changePlace, pathOf, readPlace } from './oauth-place.js';
import { requestCredentials, urlFor } from './token-endpoint.js';
import { withQuery } from './urls.js';

/** Within which the user must be back. */
const longestTrip = 600_000;

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
    const { clientId, clientSecret, redirectURL, pkce } = config;
    if (!clientId || !clientSecret) {
      throw new ExposableError('OAuth has no clientId or clientSecret. Are their secrets set?', 500);
    }
    const { origin, pathname, searchParams } = new URL(request.url);
    const redirect_uri = redirectURL ?? origin + pathname;
    const { error, error_description, code, state: sealed = '' } = Object.fromEntries(searchParams);
    if (error) return oauthPage(false, error_description ?? error);
    if (!code) return depart(config, redirect_uri, context);

    const state = await openOAuthState(sealed, clientSecret);
    if (!state || !isCurrent(state, context)) {
      return oauthPage(false, 'This link is invalid or too old. Try again.');
    }
    const { path } = state;
    const change = await requestCredentials(
      config,
      context.environment.installation ?? (await readPlace(context, path.split('/', 4).join('/'))),
      {
        code,
        redirect_uri,
        grant_type: 'authorization_code',
        ...(pkce && { code_verifier: await verifierOf(state, clientSecret) }),
      },
      context,
    );
    const before = !options.replace && (await readPlace(context, path)).configuration;
    await changePlace(context, path, change, before);
    return oauthPage(true, 'You can close this window now.');
  };

/** Sends the user to the provider. */
const depart = async <Answer>(
  { authorizeURL, clientId, clientSecret, scopes, prompt, pkce }: OAuthConfig<Answer>,
  redirect_uri: string,
  context: RuntimeContext,
): Promise<Response> => {
  const { installation } = context.environment;
  if (!installation) return oauthPage(false, 'There is no installation to connect.');
  const state = { path: pathInPlay(context), nonce: crypto.randomUUID(), issued: nowOn(context.clock) };
  return Response.redirect(
    withQuery(urlFor(authorizeURL, installation), {
      client_id: clientId,
      redirect_uri,
      response_type: 'code',
      state: await sealOAuthState(state, clientSecret),
      scope: scopes?.join(' ') || null,
      prompt: prompt || null,
      ...(pkce && {
        code_challenge: toBase64Url(
          await crypto.subtle.digest('SHA-256', utf8(await verifierOf(state, clientSecret))),
        ),
        code_challenge_method: 'S256',
      }),
    }),
  );
};

/** Whether a state was issued lately, and for the installation in play. */
const isCurrent = ({ issued, path }: OAuthState, context: RuntimeContext): boolean =>
  nowOn(context.clock) - issued <= longestTrip && `${path}/`.startsWith(`${pathInPlay(context)}/`);

const pathInPlay = ({ environment }: RuntimeContext): string =>
  pathOf(environment, environment.siteInstallation ?? environment.spaceInstallation);

/** Derived, so that nothing is kept between the two trips. */
const verifierOf = ({ nonce }: OAuthState, clientSecret: string): Promise<string> =>
  signText(`pkce.${nonce}`, clientSecret);
