/** @import { RuntimeContext } from 'integration-platform' */
import { createOAuthHandler } from 'integration-platform';

/**
 * Sends users to the provider, and exchanges the code when they return. Enter your provider's URLs here.
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
