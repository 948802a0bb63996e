/** @import { Context } from '../platform-env' */
import { createIntegration, routePath } from 'integration-platform';
import { connect, showProfile } from './account';

export default createIntegration({
  /**
   * @param {Request} request
   * @param {Context} context
   */
  async fetch(request, context) {
    switch (routePath(request, context.environment)) {
      case '/oauth':
        return connect(request, context);
      case '/profile':
        return showProfile(context);
      default:
        return new Response('Not found', { status: 404 });
    }
  },
});
