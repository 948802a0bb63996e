import { webhookCurl } from '../../../base/text/curl-command.js';
import { isUserError, UserError } from '../../../base/user-error.js';
import { defineCommand, fine, type CommandContext, type Outcome } from '../../context/command.js';
import type { Call } from '../../../contract/call.js';
import type { CallRecord } from '../../../contract/routes/calls.js';
import { connect } from '../../session/connect.js';
import { databaseFlags, withWebhooks, type DatabaseFlags } from '../webhook/database/webhook-client.js';
import type { RecordedOutbound } from './render-outbound.js';

interface InspectOptions extends DatabaseFlags {
  asTest?: string | boolean;
  asCurl?: boolean;
}

export const inspect = defineCommand<InspectOptions>({
  name: 'inspect',
  summary: 'show a call or a webhook delivery in full',
  arguments: [{ syntax: '<id>', description: 'id printed by platform logs or platform webhook deliveries' }],
  options: [
    {
      flags: '--as-test [file]',
      description: 'write a vitest file that repeats the call and expects the same response',
    },
    {
      flags: '--as-curl',
      description:
        'print a curl command that sends a webhook delivery again; its signature is valid for five minutes',
    },
    ...databaseFlags,
  ],
  examples: [
    { command: 'platform inspect call_01k', does: 'headers, bodies, logs, outbound requests, OAuth steps' },
    { command: 'platform inspect call_01k --as-test', does: 'save the call as a test' },
    { command: 'platform inspect dlv_1', does: 'why a delivery is waiting or failed' },
    { command: 'platform inspect dlv_1 --as-curl', does: 'send it again yourself' },
  ],
  async run(context, [id = ''], options) {
    const { asTest, asCurl } = options;
    if (options.database !== undefined) {
      if (asTest !== undefined || asCurl || !isDelivery(id)) {
        throw new UserError(
          'not-a-delivery',
          'With --database, only webhook deliveries can be shown.',
          'List them with: platform webhook deliveries --database',
        );
      }
      return withWebhooks(context, options, async (call) => showDelivery(context, call, id));
    }
    const { call } = await connect(context);
    if (asCurl) {
      if (!isDelivery(id))
        throw new UserError(
          'not-a-delivery',
          `--as-curl needs a webhook delivery, but ${id} is not one.`,
          'List deliveries with: platform webhook deliveries',
        );
      const request = await call('GET /deliveries/{delivery}/signed-request', { delivery: id });
      if (context.json) context.emit(request);
      else context.print(webhookCurl(request));
      return fine;
    }
    if (isDelivery(id)) return showDelivery(context, call, id);
    const entry = await call('GET /calls/{call}', { call: id });
    const [request, response] = await Promise.all([
      call('GET /calls/{call}/request-body', { call: id }).catch(undefinedIfMissing),
      call('GET /calls/{call}/response-body', { call: id }).catch(undefinedIfMissing),
    ]);
    if (asTest) {
      const { writeRecordedTest } = await import('./write-recorded-test.js');
      const recorded = { ...entry, outbound: await readOutbound(call, entry) };
      const file = await writeRecordedTest(
        context.cwd,
        { entry: recorded, request, response },
        asTest === true ? undefined : asTest,
      );
      if (context.json) context.emit({ file });
      else context.print(`Wrote ${file}. Run it with: npx --no-install vitest run ${file}`);
      return fine;
    }
    const [connection] = entry.event ? await call('GET /connections', { call: id }) : [];
    const whole = { ...entry, outbound: await readOutbound(call, entry) };
    if (context.json) {
      const bodies = { requestBody: toJson(request), responseBody: toJson(response) };
      context.emit({ call: whole, ...bodies, ...(connection && { connection }) });
      return fine;
    }
    const { renderEntry } = await import('./render-call.js');
    context.print(renderEntry({ entry: whole, request, response }, context));
    if (!connection) return fine;
    const { renderConnection } = await import('./render-connection.js');
    context.print(`\n${renderConnection(connection, context)}`);
    return fine;
  },
});

const isDelivery = (id: string): boolean => id.startsWith('dlv_');

/** Each outbound request, with what was recorded of its headers and bodies. */
const readOutbound = (call: Call, { id, outbound }: CallRecord): Promise<RecordedOutbound[]> =>
  Promise.all(
    outbound.map(async ({ details, ...request }) => {
      if (details === undefined) return request;
      const input = { call: id, number: details };
      const found = await call('GET /calls/{call}/outbound/{number}', input).catch(undefinedIfMissing);
      return { ...request, ...found };
    }),
  );

/** A call may have no body, or its body may have been deleted. */
function undefinedIfMissing(error: unknown): undefined {
  if (!isUserError(error) || error.code !== 'not-found') throw error;
}

const toJson = (bytes: Uint8Array | undefined): object | undefined => {
  if (!bytes) return undefined;
  try {
    return { encoding: 'utf-8', content: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { encoding: 'base64', content: Buffer.from(bytes).toString('base64') };
  }
};

async function showDelivery(context: CommandContext, call: Call, id: string): Promise<Outcome> {
  const delivery = await call('GET /deliveries/{delivery}', { delivery: id });
  const { renderDelivery } = await import('./render-delivery.js');
  if (context.json) context.emit(delivery);
  else context.print(renderDelivery(delivery, context.style, context.io.clock.now()));
  return fine;
}
