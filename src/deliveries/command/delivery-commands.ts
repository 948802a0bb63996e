import { UserError } from '../../base/user-error.js';
import { deliveriesOf, resend, showDelivery } from '../../cli/commands/webhook/delivery-commands.js';
import { endpointCommands } from '../../cli/commands/webhook/endpoint-commands.js';
import type { WebhookHost } from '../../cli/commands/webhook/webhook-host.js';
import { defineCommand, fine, InvalidValue, type CommandSpec } from '../../cli/context/command.js';
import { finalStates, type DeliveryState } from '../../protocol/delivery-states.js';
import { secretOptions, withDatabase, type DatabaseOptions } from './database.js';
import { parseDuration } from './parse-values.js';

const database: WebhookHost<DatabaseOptions> = {
  command: 'platform-webhooks',
  options: secretOptions,
  use: (context, options, work) =>
    withDatabase(context, options, async (store) => {
      const { createDatabaseCall } = await import('./database-call.js');
      return work(createDatabaseCall(store, context.io.clock));
    }),
};

const inspect = defineCommand<DatabaseOptions>({
  name: 'inspect',
  summary: 'show a delivery in full',
  arguments: { '<delivery>': 'delivery id' },
  options: secretOptions,
  examples: {
    'platform-webhooks inspect dlv_1': 'show why a delivery is waiting or has failed',
    'platform-webhooks inspect dlv_1 --json': 'print the result as JSON',
  },
  run: (context, [id = ''], options) =>
    database.use(context, options, (call) => showDelivery(context, call, id, database.command)),
});

interface ResendOptions extends DatabaseOptions {
  endpoint?: string;
  state?: DeliveryState;
  since?: TimeArgument;
  until?: TimeArgument;
}

const resendCommand = defineCommand<ResendOptions>({
  name: 'resend',
  summary: 'resend one or several deliveries with the same event id',
  arguments: { '[delivery]': 'delivery id' },
  options: {
    '--endpoint <id>': 'resend all failed deliveries to this endpoint',
    '--state <state>': {
      description: 'resend all deliveries in this state',
      choices: finalStates,
    },
    '--since <time>': {
      description: 'resend deliveries that failed after this time, such as 2h (ago) or 2026-01-31T10:00Z',
      parse: parseTime,
    },
    '--until <time>': { description: 'resend deliveries that failed before this time', parse: parseTime },
    ...secretOptions,
  },
  examples: {
    'platform-webhooks resend dlv_1': 'resend one delivery',
    'platform-webhooks resend --endpoint whe_4f1d9a7c20b3 --since 2h':
      'resend everything that an endpoint missed in the last two hours',
  },
  async run(context, [id], options) {
    const { endpoint, state, since, until } = options;
    const filtered = [endpoint, state, since, until].some((value) => value !== undefined);
    if ((id === undefined) !== filtered) {
      throw new UserError(
        'missing-input',
        'Pass either the id of a delivery, or one or more of --endpoint, --state, --since and --until.',
        'platform-webhooks resend dlv_1',
      );
    }
    if (id !== undefined) return database.use(context, options, (call) => resend(context, call, id));
    const now = context.io.clock.now();
    const result = await withDatabase(context, options, (store) =>
      store.resendAll({
        ...(endpoint !== undefined && { endpointId: endpoint }),
        ...(state !== undefined && { state }),
        ...(since !== undefined && { since: since.at(now) }),
        ...(until !== undefined && { until: until.at(now) }),
      }),
    );
    if (context.json) context.emit(result);
    else context.print(renderResent(result));
    return fine;
  },
});

function renderResent({ resent, skipped }: { resent: number; skipped: number }): string {
  const count = (n: number): string => `${n} ${n === 1 ? 'delivery' : 'deliveries'}`;
  return [
    resent === 0
      ? 'No deliveries match, or all of them have already been resent.'
      : `Sending ${count(resent)} again.`,
    ...(skipped > 0 ? [`Skipped ${count(skipped)}, because the endpoint is disabled or removed.`] : []),
  ].join('\n');
}

export const deliveryCommands: readonly CommandSpec[] = [deliveriesOf(database), resendCommand, inspect];

export const databaseEndpointCommands = endpointCommands(database);

/** A time in milliseconds since the epoch. It may depend on the current time. */
interface TimeArgument {
  at(now: number): number;
}

/** Parses a date and time, or a duration such as `2h`, which is subtracted from the current time. */
function parseTime(text: string): TimeArgument {
  if (/^\d+[a-z]+$/.test(text)) {
    const ago = parseDuration(text);
    return { at: (now) => now - ago };
  }
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw new InvalidValue('It must be a time such as 2h (ago) or 2026-01-31T10:00Z.');
  return { at: () => time };
}
