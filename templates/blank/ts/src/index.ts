import { createIntegration, Logger } from 'integration-platform';
import type { Context } from '../platform-env';

const logger = Logger('{{name}}');

export default createIntegration<Context>({
  async fetch(request, context) {
    return Response.json({ hello: context.environment.integration.title });
  },

  events: {
    installation_setup: async ({ status }) => {
      logger.info(`The installation is ${status}`);
    },
  },
});
