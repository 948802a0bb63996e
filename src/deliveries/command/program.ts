import { completionOf } from '../../cli/commands/completion/completion.js';
import { inGroups, type ProgramSpec } from '../../cli/context/command.js';
import { databaseEndpointCommands, deliveryCommands } from './delivery-commands.js';
import { workerCommands } from './worker-commands.js';

export const platformWebhooks: ProgramSpec = {
  name: 'platform-webhooks',
  description: 'Deliver webhooks in production, from a Postgres database.',
  examples: {
    'platform-webhooks migrate': 'create the tables',
    'platform-webhooks worker': 'deliver webhooks',
    'platform-webhooks <command> --help': 'show examples and options for a command',
  },
  commands: inGroups({
    Deliver: workerCommands,
    Endpoints: databaseEndpointCommands,
    Deliveries: deliveryCommands,
    Setup: [completionOf('platform-webhooks')],
  }),
};
