import { createIntegration, routePath } from 'integration-platform';
import type { Context } from '../platform-env';
import { receiveWebhook } from './receive-webhook';

export default createIntegration<Context>({
  async fetch(request, context) {
    if (routePath(request, context.environment) === '/webhook') return receiveWebhook(request, context);
    return new Response('Not found', { status: 404 });
  },
});
