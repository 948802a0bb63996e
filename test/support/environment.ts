import { endpointsAt } from '../../src/emulator/state/script-environments.js';
import type { RuntimeEnvironment } from '../../src/runtime/index.js';

const origin = 'http://127.0.0.1:4000/v1/integrations/demo';

/** The environment for an installation in an organization. */
export const environment = (overrides: Partial<RuntimeEnvironment> = {}): RuntimeEnvironment => ({
  apiEndpoint: 'http://127.0.0.1:4000/api',
  apiTokens: { integration: 'token-integration', installation: 'token-installation' },
  integration: {
    name: 'demo',
    title: 'Demo',
    version: 3,
    urls: {
      publicEndpoint: origin,
      publicContentEndpoint: origin,
      icon: 'http://127.0.0.1:4000/icon.png',
      app: 'http://127.0.0.1:4000/console',
    },
    externalLinks: [],
  },
  secrets: { CLIENT_ID: 'client-1', CLIENT_SECRET: 'secret-1' },
  signingSecrets: { integration: 'signing-1' },
  installation: {
    id: 'ins_1',
    organization: 'org_local',
    status: 'active',
    target: 'all',
    space_selection: 'all',
    configuration: {},
    externalIds: [],
    urls: { ...endpointsAt(`${origin}/installations/ins_1`), app: 'http://127.0.0.1:4000/console' },
  },
  ...overrides,
});
