import { defineCommand } from '../command.js';
import { deliveryCommands } from '../webhook/delivery-commands.js';
import { endpointCommands } from '../webhook/endpoint-commands.js';
import { receiverCommands } from '../webhook/receiver-commands.js';
import { send } from '../webhook/send-command.js';
import { signatureCommands } from '../webhook/signature-commands.js';

export const webhook = defineCommand({
  name: 'webhook',
  summary: 'deliver events to addresses of yours, and try a receiver',
  examples: [],
  subcommands: [...endpointCommands, ...deliveryCommands, send, ...receiverCommands, ...signatureCommands],
});
