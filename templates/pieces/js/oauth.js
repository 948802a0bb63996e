/** @import { RuntimeContext } from 'integration-platform' */
import { createOAuthHandler } from 'integration-platform';

/**
 * Both halves of the trip: to the provider, and back with a code. Put the addresses of yours here.
 *
 * @param {Request} request
 * @param {RuntimeContext} context
 */
export const connect = (request, context) =>
  createOAuthHandler({
    clientId: context.environment.secrets.CLIENT_ID ?? '',
    clientSecret: context.environment.secrets.CLIENT_SECRET ?? '',
    authorizeURL: 'https://provider.example/oauth/authorize',
    accessTokenURL: 'https://provider.example/oauth/token',
    scopes: ['profile'],
  })(request, context);
