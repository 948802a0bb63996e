import {
  createOAuthHandler,
  ExposableError,
  getOAuthToken,
  OAuthError,
  type OAuthConfig,
} from 'integration-platform';
import type { Context } from '../platform-env';
import { provider } from './provider';

const configOf = ({ environment }: Context): OAuthConfig => ({
  clientId: environment.secrets.CLIENT_ID,
  clientSecret: environment.secrets.CLIENT_SECRET,
  authorizeURL: provider.authorizeURL,
  accessTokenURL: provider.accessTokenURL,
  scopes: provider.scopes,
});

/** Sends users to the provider, and exchanges the code when they return. */
export const connect = (request: Request, context: Context): Promise<Response> =>
  createOAuthHandler(configOf(context))(request, context);

/** Calls the provider with the token of the connected account. */
export async function showProfile(context: Context): Promise<Response> {
  const credentials = context.environment.installation?.configuration.oauth_credentials;
  if (!credentials) throw new ExposableError('Connect an account first.', 409);

  const token = await getOAuthToken(credentials, configOf(context), context).catch((error: unknown) => {
    // The refresh token has expired or was revoked.
    if (error instanceof OAuthError && error.needsReconnect)
      throw new ExposableError('Connect the account again.', 409);
    throw error;
  });
  const response = await fetch(provider.profileURL, { headers: { Authorization: `Bearer ${token}` } });
  if (!response.ok) throw new ExposableError(`The provider responded with ${response.status}.`, 502);
  return Response.json({ profile: await response.json() });
}
