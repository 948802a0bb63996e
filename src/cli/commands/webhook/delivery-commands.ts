import type { DeliveryResource, ListedDelivery } from '../../../contract/routes/webhooks.js';
import type { Style } from '../../../terminal/style.js';
import { defineCommand, fine, parseCount, type CommandSpec } from '../../context/command.js';
import { connect, type SessionClient } from '../../session/connect.js';
import { deliveryReason } from '../../../base/text/delivery-reason.js';
import { renderEndpoints, type EndpointView } from './render-endpoints.js';

interface DeliveriesOptions {
  failed?: boolean;
  endpoint?: string;
  limit?: number;
}

const deliveries = defineCommand<DeliveriesOptions>({
  name: 'deliveries',
  summary: 'list webhook deliveries, newest first',
  options: [
    { flags: '--failed', description: 'only failed deliveries' },
    { flags: '--endpoint <id>', description: 'only deliveries to this endpoint' },
    { flags: '--limit <n>', description: 'maximum number to list', parse: parseCount, default: 50 },
  ],
  examples: [
    { command: 'platform webhook deliveries', does: 'the newest 50' },
    { command: 'platform webhook deliveries --failed', does: 'failed deliveries' },
  ],
  async run(context, _, { failed, endpoint, limit }) {
    const client = await connect(context);
    const items = await client.call('GET /deliveries', { failed, endpoint, limit });
    const endpoints = items.length > 0 ? [] : await endpointsOf(client, endpoint);
    if (context.json) context.emit({ items });
    else if (items.length > 0) context.print(renderDeliveries(items, context.style, context.io.clock.now()));
    else if (failed) context.print('No delivery has failed.');
    else if (endpoints.length === 0) context.print(renderEndpoints(endpoints, context.style));
    else context.print(`No deliveries yet. Try: platform trigger ${endpoints[0]?.events[0]}`);
    return fine;
  },
});

const resend = defineCommand({
  name: 'resend',
  summary: 'send a delivery again, with the same event id',
  arguments: [{ syntax: '<delivery>', description: 'id of the delivery' }],
  examples: [
    { command: 'platform webhook resend dlv_1', does: 'one delivery' },
    { command: 'platform webhook resend dlv_1 --json', does: 'as JSON' },
  ],
  async run(context, [id = '']) {
    const client = await connect(context);
    const delivery = await client.call('POST /deliveries/{delivery}/resend', { delivery: id });
    if (context.json) context.emit({ delivery });
    else context.print(renderDeliveries([delivery], context.style, context.io.clock.now()));
    return fine;
  },
});

export const deliveryCommands: readonly CommandSpec[] = [deliveries, resend];

/** All endpoints, or only the one with this id. Throws if there is no such endpoint. */
const endpointsOf = async (client: SessionClient, id: string | undefined): Promise<EndpointView[]> =>
  id === undefined
    ? client.call('GET /webhooks')
    : [await client.call('GET /webhooks/{endpoint}', { endpoint: id })];

/** One line per delivery, with its URL if they differ. The reason why it waits or failed is below it. */
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
      const { id, state, eventType, eventId, attempts, endpointId, url = endpointId, lastResult } = delivery;
      const requests = attempts === 1 ? '1 request ' : `${attempts} requests`;
      const more = style.dim(`${requests}  ${eventId}${several ? ` to ${url}` : ''}`);
      const why = deliveryReason({ delivery, attempt: lastResult && { result: lastResult } }, now);
      const line = `${style.bold(id)}  ${paint[state](state.padEnd(9))}  ${eventType}  ${more}`;
      return why === undefined ? line : `${line}\n  ${why}`;
    })
    .join('\n');
}
