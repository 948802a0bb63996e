import { webhookCurl } from '../../../base/text/curl-command.js';
import { readBody } from '../../../base/text/read-body.js';
import { UserError } from '../../../base/user-error.js';
import { defineCommand, fine } from '../../context/command.js';
import { connect } from '../../session/connect.js';
import { showDelivery } from '../webhook/delivery-commands.js';
import { readOutbound, undefinedIfMissing } from '../../session/read-outbound.js';

interface InspectOptions {
  asCurl?: boolean;
  full?: boolean;
}

export const inspect = defineCommand<InspectOptions>({
  name: 'inspect',
  summary: 'show a call or a webhook delivery',
  arguments: { '<id>': 'id shown by platform logs or platform webhook deliveries' },
  options: {
    '--as-curl': 'print a curl command that sends a webhook delivery again (valid for five minutes)',
    '--full': "also show the script's environment, and the whole bodies of outbound requests",
  },
  examples: {
    'platform inspect call_01k': 'show headers, bodies, logs, outbound requests and OAuth steps',
    'platform inspect dlv_1': 'show why a delivery is waiting or has failed',
    'platform inspect dlv_1 --as-curl': 'print a command that sends it again',
  },
  async run(context, [id = ''], { asCurl, full }) {
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
    if (isDelivery(id)) return showDelivery(context, call, id, 'platform webhook');
    const entry = await call('GET /calls/{call}', { call: id });
    const [request, response] = await Promise.all([
      call('GET /calls/{call}/request-body', { call: id }).catch(undefinedIfMissing),
      call('GET /calls/{call}/response-body', { call: id }).catch(undefinedIfMissing),
    ]);
    const [connection] = entry.event ? await call('GET /connections', { call: id }) : [];
    // After a code change, the author can run the same call again. For a connection, the output ends with the connection's own
    // next step instead.
    const isReplayable = !connection && (entry.event ?? entry.request) !== undefined;
    const next = entry.severity !== 'none' && isReplayable ? `platform replay ${id}` : undefined;
    const whole = { ...entry, outbound: await readOutbound(call, entry) };
    if (context.json) {
      const bodies = {
        requestBody: request && readBody(request),
        responseBody: response && readBody(response),
      };
      context.emit({
        call: whole,
        ...bodies,
        ...(connection && { connection }),
        ...(next !== undefined && { next }),
      });
      return fine;
    }
    const { renderEntry } = await import('./render-call.js');
    context.print(renderEntry({ call: whole, request, response }, context, full));
    if (connection) {
      const { renderConnection } = await import('./render-connection.js');
      context.print(`\n${renderConnection(connection, context)}`);
    }
    if (next !== undefined && !context.io.stdout.isTTY) context.print(`\nnext: ${next}`);
    return fine;
  },
});

const isDelivery = (id: string): boolean => id.startsWith('dlv_');
