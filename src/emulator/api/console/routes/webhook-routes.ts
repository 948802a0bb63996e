import type { Handlers } from '../../../../contract/console-api.js';
import type { webhookRoutes as contract } from '../../../../contract/routes/webhooks.js';
import type { Endpoint } from '../../../../webhooks/endpoint.js';
import { HttpError, invalid, notFound } from '../../../http/http-error.js';
import { requireInstallation } from '../../../state/require-installation.js';
import type { InstallTarget } from '../../../state/script-environments.js';
import { readBody } from '../../../calls/replay.js';
import type { Registry } from '../../../state/registry.js';
import type { Webhooks } from '../../../calls/webhook-events.js';
import { attemptView, endpointView } from '../response-views.js';

type WebhookRoutes = Handlers<keyof typeof contract>;

export const webhookRoutes = (deps: { webhooks: Webhooks; registry: Registry }): WebhookRoutes => ({
  ...endpointRoutes(deps),
  ...deliveryRoutes(deps.webhooks),
});

const endpointRoutes = ({ webhooks, registry }: { webhooks: Webhooks; registry: Registry }) =>
  ({
    'GET /webhooks': () =>
      webhooks.use(({ endpoints, deliveries }) =>
        Promise.all(
          endpoints.list().map(async (endpoint) => ({
            ...endpointView(endpoint),
            backlog: await deliveries.backlog(endpoint.id),
          })),
        ),
      ),
    'POST /webhooks': async ({ url = '', events = [], secret, ...target }) =>
      withSecret(
        await webhooks.add({
          ...placeIn(registry, target),
          url,
          events,
          ...(secret !== undefined && { secret }),
        }),
      ),
    'GET /webhooks/{endpoint}': ({ endpoint }) =>
      webhooks.use(({ endpoints }) => withSecret(endpoints.get(endpoint))),
    'PATCH /webhooks/{endpoint}': async ({ endpoint, ...changes }) =>
      endpointView(await webhooks.update(endpoint, changes)),
    'DELETE /webhooks/{endpoint}': ({ endpoint }) => webhooks.remove(endpoint),
    'POST /webhooks/{endpoint}/rotate': async ({ endpoint }) => withSecret(await webhooks.rotate(endpoint)),
    'POST /webhooks/{endpoint}/ping': ({ endpoint }) =>
      webhooks.use(({ endpoints }) => endpoints.ping(endpoint)),
  }) satisfies Partial<WebhookRoutes>;

const deliveryRoutes = (webhooks: Webhooks) =>
  ({
    'GET /deliveries': ({ endpoint, failed, ...query }) =>
      webhooks.use(({ deliveries }) =>
        deliveries.list({
          ...query,
          ...(endpoint !== undefined && { endpointId: endpoint }),
          ...(failed && { failed }),
        }),
      ),
    'GET /deliveries/{delivery}': ({ delivery: id }) =>
      webhooks.use(async ({ deliveries }) => {
        const found = await deliveries.get(id);
        if (!found) throw notFound(`There is no delivery ${id}.`);
        const { delivery, attempts, body } = found;
        return { delivery, attempts: attempts.map(attemptView), body: readBody(body) };
      }),
    'POST /deliveries/{delivery}/resend': ({ delivery }) =>
      webhooks.use(({ deliveries }) => deliveries.resend(delivery)),
    'POST /deliveries/{delivery}/skip-wait': ({ delivery }) =>
      webhooks.use(async ({ deliveries }) => {
        if (!(await deliveries.get(delivery)))
          throw new HttpError(404, 'unknown_delivery', `There is no delivery ${delivery}.`);
        return { skipped: await deliveries.skipWait(delivery) };
      }),
  }) satisfies Partial<WebhookRoutes>;

const withSecret = (endpoint: Endpoint) => ({ ...endpointView(endpoint), secret: endpoint.secret });

function placeIn(registry: Registry, { site, space, installation }: InstallTarget) {
  if ((site === undefined) === (space === undefined))
    throw invalid('Name a site or a space.', { path: 'site' });
  const place =
    site === undefined ? { type: 'space' as const, id: space ?? '' } : { type: 'site' as const, id: site };
  return { installationId: requireInstallation(registry, installation).id, place };
}
