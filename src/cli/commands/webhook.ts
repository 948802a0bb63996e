import { defineCommand } from '../command.js';
import { deliveryCommands } from '../webhook/delivery-commands.js';
import { endpointCommands } from '../webhook/endpoint-commands.js';
import { receiverCommands } from '../webhook/receiver-commands.js';
import { send } from '../webhook/send-command.js';
import { signatureCommands } from '../webhook/signature-commands.js';

export const webhook = defineCommand({
  name: 'webhook',
  summary: 'deliver events to addresses of yours, and try a receiver',
  examples: [
    { command: 'platform webhook listen --secret whsec_1', does: 'a receiver to look at' },
    { command: 'platform webhook deliveries --failed', does: 'what did not arrive' },
    {
      command: 'platform webhook test --to http://localhost:3000/hook --secret whsec_1',
      does: 'try your own receiver',
    },
  ],
  subcommands: [...endpointCommands, ...deliveryCommands, send, ...receiverCommands, ...signatureCommands],
});
