import { countOpen } from '../../../protocol/delivery-states.js';
import type { Style } from '../../../terminal/style.js';
import { describeHealth } from '../../../base/text/delivery-reason.js';
import type { EndpointHealth, EndpointResource } from '../../../contract/routes/webhooks.js';
import { clockTime } from '../../session/call-words.js';
import type { WebhookHost } from './webhook-host.js';

export type EndpointView = EndpointResource & {
  secret?: string;
  backlog?: { pending: number; retrying: number; held: number };
  health?: EndpointHealth;
};

export function renderEndpoints(
  endpoints: readonly EndpointView[],
  style: Style,
  command: WebhookHost['command'],
): string {
  if (endpoints.length === 0) {
    const more = command === 'platform webhook' ? '' : ' --installation <id> --site <id>';
    return `No webhook endpoints yet. Add one with:\n  ${command} add --url <url> --event <type>${more}`;
  }
  return endpoints
    .flatMap(({ id, integration, url, target, events, enabled, secret, rotatesUntil, backlog, health }) => [
      `${style.bold(id)}  ${enabled ? style.green('enabled') : style.yellow('disabled')}  ${style.cyan(url)}`,
      `  ${events.join(', ')} ${style.dim(`of ${target.type} ${target.id}${integration === undefined ? '' : `, ${integration}`}`)}`,
      ...(secret === undefined ? [] : [`  ${style.dim('secret')} ${secret}`]),
      ...(rotatesUntil === undefined
        ? []
        : [
            `  ${style.dim(`the old secret is also valid until ${new Date(rotatesUntil).toLocaleString()}`)}`,
          ]),
      ...(backlog && countOpen(backlog) > 0
        ? [
            `  ${backlog.pending} pending, ${backlog.retrying} retrying${backlog.held > 0 ? `, ${backlog.held} held` : ''}`,
          ]
        : []),
      ...(health ? describeHealth(health, clockTime).map((line) => `  ${line}`) : []),
    ])
    .join('\n');
}
