/** @import { OAuthConfig, OAuthConfiguration, RuntimeContext } from 'integration-platform' */
import { createOAuthHandler, ExposableError, getOAuthToken, OAuthError } from 'integration-platform';

/**
 * Enter your provider's URLs here.
 *
 * @param {RuntimeContext} context
 * @returns {OAuthConfig}
 */
const configOf = ({ environment: { secrets } }) => ({
  clientId: secrets.CLIENT_ID ?? '',
  clientSecret: secrets.CLIENT_SECRET ?? '',
  authorizeURL: 'https://provider.example/oauth/authorize',
  accessTokenURL: 'https://provider.example/oauth/token',
  scopes: ['profile'],
});

/**
 * Sends users to the provider, and exchanges the code when they return.
 *
 * @param {Request} request
 * @param {RuntimeContext} context
 */
export const connect = (request, context) => createOAuthHandler(configOf(context))(request, context);

/**
 * The token of the connected account, for your requests to the service.
 *
 * @param {RuntimeContext} context
 */
export async function accessToken(context) {
  const credentials = context.environment.installation?.configuration['oauth_credentials'];
  if (!credentials) throw new ExposableError('Connect an account first.', 409);
  try {
    return await getOAuthToken(/** @type {OAuthConfiguration} */ (credentials), configOf(context), context);
  } catch (error) {
    // The refresh token has expired or was revoked.
    if (error instanceof OAuthError && error.needsReconnect)
      throw new ExposableError('Connect the account again.', 409);
    throw error;
  }
}
