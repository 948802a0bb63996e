/** @import { Context } from '../platform-env' */
import { createOAuthHandler, ExposableError, getOAuthToken, OAuthError } from 'integration-platform';
import { provider } from './provider';

/** @param {Context} context */
const configOf = ({ environment }) => ({
  clientId: environment.secrets.CLIENT_ID,
  clientSecret: environment.secrets.CLIENT_SECRET,
  authorizeURL: provider.authorizeURL,
  accessTokenURL: provider.accessTokenURL,
  scopes: provider.scopes,
});

/**
 * Sends users to the provider, and exchanges the code when they return.
 *
 * @param {Request} request
 * @param {Context} context
 */
export const connect = (request, context) =>
  createOAuthHandler(configOf(context))(request, context);

/**
 * Calls the provider with the token of the connected account.
 *
 * @param {Context} context
 */
export async function showProfile(context) {
  const credentials = context.environment.installation?.configuration.oauth_credentials;
  if (!credentials) throw new ExposableError('Connect an account first.', 409);

  const token = await getOAuthToken(credentials, configOf(context), context).catch((/** @type {unknown} */ error) => {
    // The refresh token has expired or was revoked.
    if (error instanceof OAuthError && error.needsReconnect)
      throw new ExposableError('Connect the account again.', 409);
    throw error;
  });
  const response = await fetch(provider.profileURL, { headers: { Authorization: `Bearer ${token}` } });
  if (!response.ok) throw new ExposableError(`The provider responded with ${response.status}.`, 502);
  return Response.json({ profile: await response.json() });
}
