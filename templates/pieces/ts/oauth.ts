import { createOAuthHandler, type RuntimeContext } from 'integration-platform';

/** Both halves of the trip: to the provider, and back with a code. Put the addresses of yours here. */
export const connect = (request: Request, context: RuntimeContext): Promise<Response> =>
  createOAuthHandler({
    clientId: context.environment.secrets.CLIENT_ID ?? '',
    clientSecret: context.environment.secrets.CLIENT_SECRET ?? '',
    authorizeURL: 'https://provider.example/oauth/authorize',
    accessTokenURL: 'https://provider.example/oauth/token',
    scopes: ['profile'],
  })(request, context);
