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
  arguments: { '<delivery>': 'delivery id' },
  examples: {
    'platform webhook resend dlv_1': 'resend one delivery',
    'platform webhook resend dlv_1 --json': 'print the result as JSON',
  },
  run: (context, [id = ''], options) =>
    runningPlatform.use(context, options, (call) => resend(context, call, id)),
});

export const webhook = defineCommand({
  name: 'webhook',
  summary: 'send events to your own endpoints, and test a receiver',
  examples: {
    'platform webhook listen --secret whsec_1': 'run a receiver that prints requests',
    'platform webhook deliveries --failed': 'list failed deliveries',
  },
  subcommands: [
    ...endpointCommands(runningPlatform),
    deliveriesOf(runningPlatform),
    resendOne,
    send,
    ...receiverCommands,
    ...signatureCommands,
  ],
});
