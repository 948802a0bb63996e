import {
  createOAuthHandler,
  ExposableError,
  getOAuthToken,
  OAuthError,
  type OAuthConfig,
  type OAuthConfiguration,
  type RuntimeContext,
} from 'integration-platform';

/** Enter your provider's URLs here. */
const configOf = ({ environment: { secrets } }: RuntimeContext): OAuthConfig => ({
  clientId: secrets.CLIENT_ID ?? '',
  clientSecret: secrets.CLIENT_SECRET ?? '',
  authorizeURL: 'https://provider.example/oauth/authorize',
  accessTokenURL: 'https://provider.example/oauth/token',
  scopes: ['profile'],
});

/** Sends users to the provider, and exchanges the code when they return. */
export const connect = (request: Request, context: RuntimeContext): Promise<Response> =>
  createOAuthHandler(configOf(context))(request, context);

/** The token of the connected account, for your requests to the service. */
export async function accessToken(context: RuntimeContext): Promise<string> {
  const credentials = context.environment.installation?.configuration['oauth_credentials'];
  if (!credentials) throw new ExposableError('Connect an account first.', 409);
  try {
    return await getOAuthToken(credentials as OAuthConfiguration, configOf(context), context);
  } catch (error) {
    // The refresh token has expired or was revoked.
    if (error instanceof OAuthError && error.needsReconnect)
      throw new ExposableError('Connect the account again.', 409);
    throw error;
  }
}
