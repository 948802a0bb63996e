import { defineCommand } from '../../context/command.js';
import { deliveriesOf, resend } from './delivery-commands.js';
import { endpointCommands } from './endpoint-commands.js';
import { receiverCommands } from './receiver/receiver-commands.js';
import { send } from './send-command.js';
import { signatureCommands } from './signature/signature-commands.js';
import { runningPlatform } from './webhook-host.js';

const resendOne = defineCommand<object>({
  name: 'resend',
  summary: 'resend a delivery with the same event id',
  arguments: [{ syntax: '<delivery>', description: 'delivery id' }],
  examples: [
    { command: 'platform webhook resend dlv_1', does: 'resend one delivery' },
    { command: 'platform webhook resend dlv_1 --json', does: 'print the result as JSON' },
  ],
  run: (context, [id = ''], options) =>
    runningPlatform.use(context, options, (call) => resend(context, call, id)),
});

export const webhook = defineCommand({
  name: 'webhook',
  summary: 'send events to your own endpoints, and test a receiver',
  examples: [
    { command: 'platform webhook listen --secret whsec_1', does: 'run a receiver that prints requests' },
    { command: 'platform webhook deliveries --failed', does: 'list failed deliveries' },
  ],
  subcommands: [
    ...endpointCommands(runningPlatform),
    deliveriesOf(runningPlatform),
    resendOne,
    send,
    ...receiverCommands,
    ...signatureCommands,
  ],
});
