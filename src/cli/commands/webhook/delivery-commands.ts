import { visible } from '../../../base/escape-control-characters.js';
import type { DeliveryResource, ListedDelivery } from '../../../contract/routes/webhooks.js';
import { deliveryStates, failedStates } from '../../../protocol/delivery-states.js';
import type { Style } from '../../../terminal/style.js';
import { defineCommand, fine, InvalidValue, parseCount, type CommandSpec } from '../../context/command.js';
import { UserError } from '../../../base/user-error.js';
import { deliveryReason } from '../../../base/text/delivery-reason.js';
import type { Call } from '../../../contract/call.js';
import { databaseFlags, withDatabase, withWebhooks, type DatabaseFlags } from './database/webhook-client.js';
import { renderEndpoints, type EndpointView } from './render-endpoints.js';
import { parseDuration } from './worker/units.js';

interface DeliveriesOptions extends DatabaseFlags {
  failed?: boolean;
  state?: DeliveryResource['state'];
  endpoint?: string;
  before?: string;
  limit?: number;
}

const deliveries = defineCommand<DeliveriesOptions>({
  name: 'deliveries',
  summary: 'list webhook deliveries, newest first',
  options: [
    { flags: '--failed', description: 'only failed deliveries' },
    { flags: '--state <state>', description: 'only deliveries in this state', choices: deliveryStates },
    { flags: '--endpoint <id>', description: 'only deliveries to this endpoint' },
    { flags: '--before <delivery>', description: 'only deliveries older than this one' },
    { flags: '--limit <n>', description: 'maximum number to list', parse: parseCount, default: 50 },
    ...databaseFlags,
  ],
  examples: [
    { command: 'platform webhook deliveries', does: 'list the 50 most recent deliveries' },
    { command: 'platform webhook deliveries --failed', does: 'list failed deliveries' },
    {
      command: 'platform webhook deliveries --state exhausted --database',
      does: 'list deliveries in the database that PLATFORM_DATABASE_URL points to',
    },
  ],
  run: (context, _, options) =>
    withWebhooks(context, options, async (call) => {
      const { failed, state, endpoint, before, limit } = options;
      const items = await call('GET /deliveries', { failed, state, endpoint, before, limit });
      const endpoints = items.length > 0 ? [] : await endpointsOf(call, endpoint);
      if (context.json) context.emit({ items });
      else if (items.length > 0) {
        context.print(renderDeliveries(items, context.style, context.io.clock.now()));
        const problem = items.find((item) => failedStates.includes(item.state));
        if (problem && options.database === undefined)
          context.print(context.style.dim(`  next: platform inspect ${problem.id}`));
      } else if (failed) context.print('No failed deliveries.');
      else if (state !== undefined) context.print(`No ${state} deliveries.`);
      else if (endpoints.length === 0) context.print(renderEndpoints(endpoints, context.style, options));
      else if (options.database !== undefined) context.print('No deliveries yet.');
      else context.print(`No deliveries yet. Try: platform trigger ${endpoints[0]?.events[0]}`);
      return fine;
    }),
});

interface ResendOptions extends DatabaseFlags {
  endpoint?: string;
  state?: DeliveryResource['state'];
  since?: TimeArgument;
  until?: TimeArgument;
}

const resend = defineCommand<ResendOptions>({
  name: 'resend',
  summary: 'resend a delivery (or, with --database, several) with the same event id',
  arguments: [{ syntax: '[delivery]', description: 'delivery id' }],
  options: [
    { flags: '--endpoint <id>', description: 'resend all failed deliveries to this endpoint' },
    {
      flags: '--state <state>',
      description: 'resend all deliveries in this state',
      choices: deliveryStates.slice(2),
    },
    {
      flags: '--since <time>',
      description: 'resend deliveries that failed after this time, such as 2h (ago) or 2026-01-31T10:00Z',
      parse: parseTime,
    },
    {
      flags: '--until <time>',
      description: 'resend deliveries that failed before this time',
      parse: parseTime,
    },
    ...databaseFlags,
  ],
  examples: [
    { command: 'platform webhook resend dlv_1', does: 'resend one delivery' },
    {
      command: 'platform webhook resend --endpoint whe_4f1d9a7c20b3 --since 2h --database',
      does: 'resend everything that an endpoint missed in the last two hours',
    },
  ],
  async run(context, [id], options) {
    const { endpoint, state, since, until } = options;
    const filtered = [endpoint, state, since, until].some((value) => value !== undefined);
    if ((id === undefined) !== filtered || (filtered && options.database === undefined)) {
      throw new UserError(
        'missing-input',
        'Pass either the id of a delivery, or --database with --endpoint, --state, --since or --until.',
        'platform webhook resend dlv_1',
      );
    }
    if (id !== undefined) {
      return withWebhooks(context, options, async (call) => {
        const delivery = await call('POST /deliveries/{delivery}/resend', { delivery: id });
        if (context.json) context.emit({ delivery });
        else context.print(renderDeliveries([delivery], context.style, context.io.clock.now()));
        return fine;
      });
    }
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

export const deliveryCommands: readonly CommandSpec[] = [deliveries, resend];

/** Returns all endpoints, or only the one with this id. Throws if it does not exist. */
async function endpointsOf(call: Call, id: string | undefined): Promise<EndpointView[]> {
  const all = await call('GET /webhooks');
  const found = all.filter((one) => id === undefined || one.id === id);
  if (id !== undefined && found.length === 0) {
    throw new UserError(
      'unknown-endpoint',
      `Unknown webhook endpoint: ${id}.`,
      'List the endpoints with: platform webhook list',
    );
  }
  return found;
}

/**
 * Renders one line for each delivery, including why it is waiting or has failed. If the deliveries have different URLs, each
 * line includes the URL.
 */
function renderDeliveries(deliveries: readonly ListedDelivery[], style: Style, now: number): string {
  const paint: Record<DeliveryResource['state'], Style['red']> = {
    delivered: style.green,
    pending: style.dim,
    retrying: style.yellow,
    failed: style.red,
    exhausted: style.red,
    poisoned: style.red,
  };
  const several = new Set(deliveries.map(({ endpointId, url }) => url ?? endpointId)).size > 1;
  return deliveries
    .map((delivery) => {
      const { id, state, attempts, endpointId, url = endpointId, lastResult } = delivery;
      // In a database, these values come from other programs, which queue the events.
      const [eventType, eventId] = [visible(delivery.eventType), visible(delivery.eventId)];
      const tried = attempts === 1 ? '1 attempt ' : `${attempts} attempts`;
      const more = style.dim(`${tried}  ${eventId}${several ? ` to ${visible(url)}` : ''}`);
      const why = deliveryReason({ delivery, attempt: lastResult && { result: lastResult } }, now);
      const line = `${style.bold(id)}  ${paint[state](state.padEnd(9))}  ${eventType}  ${more}`;
      return why === undefined ? line : `${line}\n  ${why}`;
    })
    .join('\n');
}

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
