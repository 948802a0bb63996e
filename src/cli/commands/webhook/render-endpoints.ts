import type { Style } from '../../../terminal/style.js';
import type { EndpointResource } from '../../../contract/routes/webhooks.js';

export type EndpointView = EndpointResource & {
  secret?: string;
  backlog?: { pending: number; retrying: number };
};

export function renderEndpoints(endpoints: readonly EndpointView[], style: Style): string {
  if (endpoints.length === 0) {
    return 'There is no webhook endpoint. Add one with:\n  platform webhook add --url <url> --event <type>';
  }
  return endpoints
    .flatMap(({ id, url, place, events, enabled, secret, rotatesUntil, backlog }) => [
      `${style.bold(id)}  ${enabled ? style.green('enabled') : style.yellow('disabled')}  ${style.cyan(url)}`,
      `  ${events.join(', ')} ${style.dim(`of ${place.type} ${place.id}`)}`,
      ...(secret === undefined ? [] : [`  ${style.dim('secret')} ${secret}`]),
      ...(rotatesUntil === undefined
        ? []
        : [
            `  ${style.dim(`the old secret signs as well until ${new Date(rotatesUntil).toLocaleString()}`)}`,
          ]),
      ...(backlog && backlog.pending + backlog.retrying > 0
        ? [`  ${backlog.pending} waiting, ${backlog.retrying} to be tried again`]
        : []),
    ])
    .join('\n');
}
