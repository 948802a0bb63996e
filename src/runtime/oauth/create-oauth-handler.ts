import { nowOn } from '../../base/clock.js';
import { signText, toBase64Url, utf8 } from '../../base/hmac.js';
import type { Installation } from '../../protocol/environment.js';
import { openOAuthState, sealOAuthState } from '../../protocol/oauth/oauth-state.js';
import type { RuntimeCallback } from '../definition/context.js';
import type { AnyValues } from '../environment/runtime-environment.js';
import { ExposableError } from '../../protocol/exposable-error.js';
import type { OAuthConfig, OAuthResponse } from './oauth-config.js';
import { changeTarget, pathOf, readTarget } from './oauth-target.js';
import { requestCredentials, urlFor, withCallers } from './request-token.js';
import { withQuery } from '../environment/urls.js';

/** How long the user may take to sign in at the provider. */
const longestTrip = 600_000;

/**
 * Creates a request handler for the path where users connect an account. It redirects users to the provider,
 * exchanges the code when they return, and stores the credentials in the installation's configuration.
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
      /** Whether to replace the entire configuration with the credentials (default: merge them). */
      replace?: boolean;
    } = {},
  ): RuntimeCallback<[Request], Promise<Response>> =>
  async (request, context) => {
    const { clientId, clientSecret, redirectURL, pkce } = config;
    // By the time the token arrives, the author's line that called this function is no longer on the stack.
    const called = new Error();
    if (!clientId || !clientSecret) {
      throw new ExposableError('Set the secrets for clientId and clientSecret.', 500);
    }
    const { origin, pathname, searchParams } = new URL(request.url);
    const redirect_uri = redirectURL ?? origin + pathname;
    const { error, error_description, code, state = '' } = Object.fromEntries(searchParams);
    if (error) return oauthPage(error_description || error);
    const { environment, clock } = context;
    const here = pathOf(environment, environment.siteInstallation ?? environment.spaceInstallation);
    const now = nowOn(clock);
    if (!code) return depart(config, redirect_uri, environment.installation, here, now);

    const opened = await openOAuthState(state, clientSecret);
    if (!opened || now - opened.issued > longestTrip || !`${opened.path}/`.startsWith(`${here}/`)) {
      return oauthPage('This link is invalid or has expired.');
    }
    const { path } = opened;
    const change = await withCallers(
      requestCredentials(
        config,
        environment.installation ?? (await readTarget(context, path.split('/', 4).join('/'))),
        {
          code,
          redirect_uri,
          grant_type: 'authorization_code',
          ...(pkce && { code_verifier: await verifierOf(state, clientSecret) }),
        },
        clock,
      ),
      called,
    );
    const before = !options.replace && (await readTarget(context, path)).configuration;
    await changeTarget(context, path, change, before);
    return oauthPage();
  };

const depart = async <Answer>(
  { authorizeURL, clientId, clientSecret, scopes, prompt, pkce }: OAuthConfig<Answer>,
  redirect_uri: string,
  installation: Installation<AnyValues> | undefined,
  path: string,
  issued: number,
): Promise<Response> => {
  if (!installation) return oauthPage('There is no installation to connect.');
  const state = await sealOAuthState({ path, issued }, clientSecret);
  return Response.redirect(
    withQuery(urlFor(authorizeURL, installation), {
      client_id: clientId,
      redirect_uri,
      response_type: 'code',
      state,
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

const verifierOf = (state: string, clientSecret: string): Promise<string> =>
  signText(`pkce.${state}`, clientSecret);

/** Shows the result to the user. The provider's page was opened in a window of its own, and this page closes that window. */
const oauthPage = (problem = ''): Response => {
  const title = problem ? 'Not connected' : 'Connected';
  const text = problem.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  const status = problem ? 400 : 200;
  return new Response(
    `<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1>` +
      `<p>${text || 'You can close this window now.<script>close()</script>'}</p>`,
    { status, headers: { 'Content-Type': 'text/html; charset=utf-8' } },
  );
};
