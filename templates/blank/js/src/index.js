import { createIntegration, Logger } from 'integration-platform';

const logger = Logger('hello');

export default createIntegration({
  async fetch(request, { environment }) {
    return Response.json({ hello: environment.integration.title });
  },

  events: {
    installation_setup: async ({ status }) => {
      logger.info(`The installation is ${status}`);
    },
  },
});
