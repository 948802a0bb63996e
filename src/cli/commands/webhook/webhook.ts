import { defineCommand } from '../../context/command.js';
import { deliveryCommands } from './delivery-commands.js';
import { endpointCommands } from './endpoint-commands.js';
import { receiverCommands } from './receiver/receiver-commands.js';
import { send } from './send-command.js';
import { signatureCommands } from './signature/signature-commands.js';
import { workerCommands } from './worker/worker-commands.js';

export const webhook = defineCommand({
  name: 'webhook',
  summary: 'send events to your own endpoints, and test a receiver',
  examples: [
    { command: 'platform webhook listen --secret whsec_1', does: 'run a receiver that prints requests' },
    { command: 'platform webhook deliveries --failed', does: 'list failed deliveries' },
    {
      command: 'platform webhook test --to http://localhost:3000/hook --secret whsec_1',
      does: 'test your own receiver',
    },
  ],
  subcommands: [
    ...endpointCommands,
    ...deliveryCommands,
    send,
    ...receiverCommands,
    ...signatureCommands,
    ...workerCommands,
  ],
});
