import { countOpen } from '../../../protocol/delivery-states.js';
import {
  defineCommand,
  fine,
  type CommandContext,
  type CommandSpec,
  type Outcome,
} from '../../context/command.js';
import { UserError } from '../../../base/user-error.js';
import type { Call } from '../../../contract/call.js';
import { targetOf, targetOptions, type TargetOptions } from '../../session/target-options.js';
import { selectableEvents } from '../../../protocol/webhook-events.js';
import { checkAddress, readType } from './basics/webhook-types.js';
import { renderEndpoints, type EndpointView } from './render-endpoints.js';
import type { WebhookHost } from './webhook-host.js';

const isLocal = (host: WebhookHost): boolean => host.command === 'platform webhook';

/** A database does not know which installation is the first one. */
const databaseTargetOptions = { ...targetOptions, '--installation <id>': 'installation id (required)' };

interface AddOptions extends TargetOptions {
  url?: string;
  event?: string[];
  secret?: string;
}

const add = (host: WebhookHost): CommandSpec =>
  defineCommand<AddOptions>({
    name: 'add',
    summary: 'add an endpoint for the events of a space or a site',
    options: {
      '--url <url>': 'endpoint URL',
      '--event <type>': {
        description: 'event type (space_content_updated for spaces, site_view or page_feedback for sites)',
        repeat: true,
      },
      ...(isLocal(host) ? targetOptions : databaseTargetOptions),
      '--secret <secret>': 'signing secret (default: a new one)',
      ...host.options,
    },
    examples: isLocal(host)
      ? {
          'platform webhook add --url http://127.0.0.1:4200/ --event space_content_updated':
            'add an endpoint for the first space',
          'platform webhook add --url http://127.0.0.1:4200/ --event site_view --event page_feedback --site site_local':
            'add an endpoint for a site',
        }
      : {
          'platform-webhooks add --url https://example.com/hook --event site_view --installation ins_1 --site site_1':
            'add an endpoint for a site',
          'platform-webhooks add --url https://example.com/hook --event space_content_updated --installation ins_1 --space space_1':
            'add an endpoint for a space',
        },
    async run(context, _, options) {
      const { url, event: events = [], secret } = options;
      const missing = [...(url ? [] : ['--url']), ...(events.length > 0 ? [] : ['--event'])];
      if (missing.length > 0) {
        throw new UserError(
          'missing-input',
          `A webhook endpoint needs ${missing.join(' and ')}.`,
          `${host.command} add --url <url> --event <type>`,
        );
      }
      checkAddress(url ?? '');
      const types = events.map(readType);
      return host.use(context, options, async (call) => {
        const target = targetOf(options);
        if (target.site === undefined && target.space === undefined && isLocal(host)) {
          const kind = types.every((type) => selectableEvents.space.includes(type)) ? 'space' : 'site';
          const [first] = await call(`GET /${kind}s`);
          if (first) target[kind] = first.id;
        }
        const endpoint = { ...target, url, events: types, ...(secret && { secret }) };
        return show(context, [await call('POST /webhooks', endpoint)], host);
      });
    },
  });

const list = (host: WebhookHost): CommandSpec =>
  defineCommand<object>({
    name: 'list',
    summary: 'list webhook endpoints and their pending deliveries',
    arguments: { '[endpoint]': 'endpoint id (also shows the secret)' },
    options: host.options,
    examples: {
      [`${host.command} list`]: 'list all endpoints',
      [`${host.command} list whe_4f1d9a7c20b3`]: 'show one endpoint and its secret',
    },
    run: (context, [id], options) =>
      host.use(context, options, async (call) =>
        show(
          context,
          id === undefined
            ? await call('GET /webhooks')
            : [await call('GET /webhooks/{endpoint}', { endpoint: id })],
          host,
        ),
      ),
  });

const remove = (host: WebhookHost): CommandSpec =>
  defineCommand<object>({
    name: 'remove',
    summary: 'remove an endpoint (its pending deliveries fail)',
    arguments: { '<endpoint>': 'endpoint id' },
    options: host.options,
    examples: {
      [`${host.command} remove whe_4f1d9a7c20b3`]: 'remove an endpoint',
      [`${host.command} remove whe_4f1d9a7c20b3 --json`]: 'print the result as JSON',
    },
    run: (context, [endpoint = ''], options) =>
      host.use(context, options, async (call) => {
        const removed = (await call('GET /webhooks')).find(({ id }) => id === endpoint);
        await call('DELETE /webhooks/{endpoint}', { endpoint });
        if (removed && !context.json) context.print(describeRemoval(removed));
        return show(context, await call('GET /webhooks'), host);
      }),
  });

function describeRemoval({ id, url, backlog }: EndpointView): string {
  const waiting = backlog ? countOpen(backlog) : 0;
  const failed = waiting === 1 ? '1 pending delivery has' : `${waiting} pending deliveries have`;
  return `Removed ${id} (${url}) and its secret.${waiting === 0 ? '' : ` ${failed} failed.`}`;
}

const changeCommand = (
  host: WebhookHost,
  name: string,
  summary: string,
  change: (call: Call, endpoint: string) => Promise<EndpointView>,
): CommandSpec =>
  defineCommand<object>({
    name,
    summary,
    arguments: { '<endpoint>': 'endpoint id' },
    options: host.options,
    examples: {
      [`${host.command} ${name} whe_4f1d9a7c20b3`]: `${name} one endpoint`,
      [`${host.command} ${name} whe_4f1d9a7c20b3 --json`]: 'print the result as JSON',
    },
    run: (context, [id = ''], options) =>
      host.use(context, options, async (call) => show(context, [await change(call, id)], host)),
  });

export const endpointCommands = (host: WebhookHost): CommandSpec[] => [
  add(host),
  list(host),
  remove(host),
  changeCommand(host, 'enable', 'enable an endpoint, and send its held deliveries', (call, endpoint) =>
    call('PATCH /webhooks/{endpoint}', { endpoint, enabled: true }),
  ),
  changeCommand(host, 'disable', 'hold the deliveries to an endpoint until it is enabled', (call, endpoint) =>
    call('PATCH /webhooks/{endpoint}', { endpoint, enabled: false }),
  ),
  changeCommand(
    host,
    'rotate',
    'generate a new secret (the old one stays valid for a day)',
    (call, endpoint) => call('POST /webhooks/{endpoint}/rotate', { endpoint }),
  ),
];

function show(context: CommandContext, endpoints: EndpointView[], { command }: WebhookHost): Outcome {
  if (context.json) context.emit({ endpoints });
  else context.print(renderEndpoints(endpoints, context.style, command));
  return fine;
}
