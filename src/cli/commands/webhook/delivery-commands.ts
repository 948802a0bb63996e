import { visible } from '../../../base/escape-control-characters.js';
import type { DeliveryResource, ListedDelivery } from '../../../contract/routes/webhooks.js';
import { deliveryStates, failedStates } from '../../../protocol/delivery-states.js';
import type { Style } from '../../../terminal/style.js';
import {
  defineCommand,
  fine,
  parseCount,
  type CommandContext,
  type CommandSpec,
  type Outcome,
} from '../../context/command.js';
import { UserError } from '../../../base/user-error.js';
import { deliveryReason } from '../../../base/text/delivery-reason.js';
import type { Call } from '../../../contract/call.js';
import { renderEndpoints, type EndpointView } from './render-endpoints.js';
import type { WebhookHost } from './webhook-host.js';

interface DeliveriesOptions {
  failed?: boolean;
  state?: DeliveryResource['state'];
  endpoint?: string;
  before?: string;
  limit?: number;
}

export const deliveriesOf = (host: WebhookHost): CommandSpec =>
  defineCommand<DeliveriesOptions>({
    name: 'deliveries',
    summary: 'list webhook deliveries, newest first',
    options: {
      '--failed': 'only failed deliveries',
      '--state <state>': { description: 'only deliveries in this state', choices: deliveryStates },
      '--endpoint <id>': 'only deliveries to this endpoint',
      '--before <delivery>': 'only deliveries older than this one',
      '--limit <n>': { description: 'maximum number to list', parse: parseCount, default: 50 },
      ...host.options,
    },
    examples: {
      [`${host.command} deliveries`]: 'list the 50 most recent deliveries',
      [`${host.command} deliveries --failed`]: 'list failed deliveries',
    },
    run: (context, _, options) =>
      host.use(context, options, async (call) => {
        const { failed, state, endpoint, before, limit } = options;
        const local = host.command === 'platform webhook';
        const items = await call('GET /deliveries', { failed, state, endpoint, before, limit });
        const endpoints = items.length > 0 ? [] : await endpointsOf(call, endpoint, host);
        if (context.json) context.emit({ items });
        else if (items.length > 0) {
          context.print(renderDeliveries(items, context.style, context.io.clock.now()));
          const problem = items.find((item) => failedStates.includes(item.state));
          const inspect = local ? 'platform inspect' : 'platform-webhooks inspect';
          if (problem) context.print(context.style.dim(`  next: ${inspect} ${problem.id}`));
        } else if (failed) context.print('No failed deliveries.');
        else if (state !== undefined) context.print(`No ${state} deliveries.`);
        else if (endpoints.length === 0)
          context.print(renderEndpoints(endpoints, context.style, host.command));
        else if (!local) context.print('No deliveries yet.');
        else context.print(`No deliveries yet. Try: platform trigger ${endpoints[0]?.events[0]}`);
        return fine;
      }),
  });

export async function resend(context: CommandContext, call: Call, id: string): Promise<Outcome> {
  const delivery = await call('POST /deliveries/{delivery}/resend', { delivery: id });
  if (context.json) context.emit({ delivery });
  else context.print(renderDeliveries([delivery], context.style, context.io.clock.now()));
  return fine;
}

export async function showDelivery(
  context: CommandContext,
  call: Call,
  id: string,
  command: WebhookHost['command'],
): Promise<Outcome> {
  const delivery = await call('GET /deliveries/{delivery}', { delivery: id });
  const { renderDelivery } = await import('./render-delivery.js');
  if (context.json) context.emit(delivery);
  else context.print(renderDelivery(delivery, context.style, context.io.clock.now(), command));
  return fine;
}

/** Returns all endpoints, or only the one with this id. Throws if it does not exist. */
async function endpointsOf(
  call: Call,
  id: string | undefined,
  { command }: WebhookHost,
): Promise<EndpointView[]> {
  const all = await call('GET /webhooks');
  const found = all.filter((one) => id === undefined || one.id === id);
  if (id !== undefined && found.length === 0) {
    throw new UserError(
      'unknown-endpoint',
      `Unknown webhook endpoint: ${id}.`,
      `List the endpoints with: ${command} list`,
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
    held: style.dim,
    failed: style.red,
    exhausted: style.red,
    poisoned: style.red,
  };
  const several = new Set(deliveries.map(({ endpointId, url }) => url ?? endpointId)).size > 1;
  return deliveries
    .map((delivery) => {
      const { id, state, attempts, endpointId, url = endpointId, lastResult, integration } = delivery;
      // In a database, these values come from other programs, which queue the events.
      const [eventType, eventId] = [visible(delivery.eventType), visible(delivery.eventId)];
      const tried = attempts === 1 ? '1 attempt ' : `${attempts} attempts`;
      const more = style.dim(`${tried}  ${eventId}${several ? ` to ${visible(url)}` : ''}`);
      const why = deliveryReason({ delivery, attempt: lastResult && { result: lastResult } }, now);
      const of = integration === undefined ? '' : `${integration}  `;
      const line = `${style.bold(id)}  ${paint[state](state.padEnd(9))}  ${of}${eventType}  ${more}`;
      return why === undefined ? line : `${line}\n  ${why}`;
    })
    .join('\n');
}
