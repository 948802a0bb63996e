import {
  defineCommand,
  fine,
  type CommandContext,
  type CommandSpec,
  type Outcome,
} from '../../context/command.js';
import { UserError } from '../../../base/user-error.js';
import type { Call } from '../../../contract/call.js';
import type { ListedEndpoint } from '../../../contract/routes/webhooks.js';
import { connect } from '../../session/connect.js';
import { targetOf, targetOptions, type TargetOptions } from '../../session/target-options.js';
import { checkAddress, targetTypeOf, readType } from './basics/webhook-types.js';
import { renderEndpoints, type EndpointView } from './render-endpoints.js';

interface AddOptions extends TargetOptions {
  url?: string;
  event?: string[];
  secret?: string;
}

const add = defineCommand<AddOptions>({
  name: 'add',
  summary: 'add an endpoint that receives the events of a space or a site',
  options: [
    { flags: '--url <url>', description: 'address of the endpoint' },
    {
      flags: '--event <type>',
      description: 'event type: space_content_updated for spaces, site_view or page_feedback for sites',
      repeat: true,
    },
    ...targetOptions,
    { flags: '--secret <secret>', description: 'signing secret (default: a new one)' },
  ],
  examples: [
    {
      command: 'platform webhook add --url http://127.0.0.1:4200/ --event space_content_updated',
      does: 'for the first space',
    },
    {
      command:
        'platform webhook add --url http://127.0.0.1:4200/ --event site_view --event page_feedback --site site_local',
      does: 'for a site',
    },
  ],
  async run(context, _, options) {
    const { url, event: events = [], secret } = options;
    const missing = [...(url ? [] : ['--url']), ...(events.length > 0 ? [] : ['--event'])];
    if (missing.length > 0) {
      throw new UserError(
        'missing-input',
        `A webhook endpoint needs ${missing.join(' and ')}.`,
        'platform webhook add --url <url> --event <type>',
      );
    }
    checkAddress(url ?? '');
    const types = events.map(readType);
    const client = await connect(context);
    const target = targetOf(options);
    if (target.site === undefined && target.space === undefined) {
      const kind = types.every((type) => targetTypeOf(type) === 'space') ? 'space' : 'site';
      const [first] = await client.call(`GET /${kind}s`);
      if (first) target[kind] = first.id;
    }
    const endpoint = { ...target, url, events: types, ...(secret && { secret }) };
    return show(context, [await client.call('POST /webhooks', endpoint)]);
  },
});

const list = defineCommand({
  name: 'list',
  summary: 'list webhook endpoints and their pending deliveries',
  arguments: [{ syntax: '[endpoint]', description: 'id of an endpoint, to show its secret too' }],
  examples: [
    { command: 'platform webhook list', does: 'all endpoints' },
    { command: 'platform webhook list whe_4f1d9a7c20b3', does: 'one endpoint and its secret' },
  ],
  async run(context, [id]) {
    const client = await connect(context);
    const endpoints =
      id === undefined
        ? await client.call('GET /webhooks')
        : [await client.call('GET /webhooks/{endpoint}', { endpoint: id })];
    return show(context, endpoints);
  },
});

const remove = defineCommand({
  name: 'remove',
  summary: 'remove an endpoint; its pending deliveries fail',
  arguments: [{ syntax: '<endpoint>', description: 'id of the endpoint' }],
  examples: [
    { command: 'platform webhook remove whe_4f1d9a7c20b3', does: 'remove one endpoint' },
    { command: 'platform webhook remove whe_4f1d9a7c20b3 --json', does: 'as JSON' },
  ],
  async run(context, [endpoint = '']) {
    const { call } = await connect(context);
    const removed = (await call('GET /webhooks')).find(({ id }) => id === endpoint);
    await call('DELETE /webhooks/{endpoint}', { endpoint });
    if (removed && !context.json) context.print(describeRemoval(removed));
    return show(context, await call('GET /webhooks'));
  },
});

function describeRemoval({ id, url, backlog: { pending, retrying } }: ListedEndpoint): string {
  const waiting = pending + retrying;
  const failed = waiting === 1 ? '1 pending delivery has' : `${waiting} pending deliveries have`;
  return `Removed ${id} (${url}) and its secret.${waiting === 0 ? '' : ` ${failed} failed.`}`;
}

const changeCommand = (
  name: string,
  summary: string,
  change: (call: Call, endpoint: string) => Promise<EndpointView>,
): CommandSpec =>
  defineCommand({
    name,
    summary,
    arguments: [{ syntax: '<endpoint>', description: 'id of the endpoint' }],
    examples: [
      { command: `platform webhook ${name} whe_4f1d9a7c20b3`, does: 'one endpoint' },
      { command: `platform webhook ${name} whe_4f1d9a7c20b3 --json`, does: 'as JSON' },
    ],
    async run(context, [id = '']) {
      const { call } = await connect(context);
      return show(context, [await change(call, id)]);
    },
  });

export const endpointCommands: readonly CommandSpec[] = [
  add,
  list,
  remove,
  changeCommand('enable', 'enable an endpoint again', (call, endpoint) =>
    call('PATCH /webhooks/{endpoint}', { endpoint, enabled: true }),
  ),
  changeCommand(
    'disable',
    'disable an endpoint: keep pending deliveries, queue no new ones',
    (call, endpoint) => call('PATCH /webhooks/{endpoint}', { endpoint, enabled: false }),
  ),
  changeCommand('rotate', 'generate a new secret; the old one stays valid for a day', (call, endpoint) =>
    call('POST /webhooks/{endpoint}/rotate', { endpoint }),
  ),
];

function show(context: CommandContext, endpoints: EndpointView[]): Outcome {
  if (context.json) context.emit({ endpoints });
  else context.print(renderEndpoints(endpoints, context.style));
  return fine;
}
