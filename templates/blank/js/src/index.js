import { createIntegration, Logger } from 'integration-platform';

const logger = Logger('{{name}}');

export default createIntegration({
  async fetch(request, context) {
    return Response.json({ hello: context.environment.integration.title });
  },

  events: {
    installation_setup: async ({ status }) => {
      logger.info(`The installation is ${status}`);
    },
  },
});
