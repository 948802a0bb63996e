import type { Call } from '../../../contract/call.js';
import type { CommandContext, OptionSpecs } from '../../context/command.js';
import { connect } from '../../session/connect.js';

/** Where endpoints and deliveries are: in the running platform, or in the database of `platform-webhooks`. */
export interface WebhookHost<Options = object> {
  command: 'platform webhook' | 'platform-webhooks';
  options: OptionSpecs;
  use<T>(context: CommandContext, options: Options, work: (call: Call) => Promise<T>): Promise<T>;
}

export const runningPlatform: WebhookHost = {
  command: 'platform webhook',
  options: {},
  use: async (context, _, work) => work((await connect(context)).call),
};
