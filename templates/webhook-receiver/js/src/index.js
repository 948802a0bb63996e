/** @import { Context } from '../platform-env' */
import { createIntegration, routePath } from 'integration-platform';
import { receiveWebhook } from './receive-webhook';

export default createIntegration({
  /**
   * @param {Request} request
   * @param {Context} context
   */
  async fetch(request, context) {
    if (routePath(request, context.environment) === '/webhook') return receiveWebhook(request, context);
    return new Response('Not found', { status: 404 });
  },
});
