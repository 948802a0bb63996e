import type { Handlers } from '../../contract/console-api.js';
import type { webhookRoutes as contract } from '../../contract/routes/webhooks.js';
import { healthOf } from '../../webhooks/endpoint-health.js';
import type { Endpoint } from '../../webhooks/model/endpoint.js';
import type { Delivery } from '../../webhooks/model/delivery.js';
import { HttpError, invalid, notFound } from '../http/http-error.js';
import { requireInstallation } from '../state/require-installation.js';
import type { InstallTarget } from '../state/script-environments.js';
import { readBody } from '../../base/text/read-body.js';
import type { Registry } from '../state/registry.js';
import { callOfEvent } from '../state/new-id.js';
import type { CallLog } from '../../store/calls/call-log.js';
import type { Webhooks } from './webhooks.js';
import { attemptView, endpointView, healthView, listedDelivery } from '../../webhooks/views.js';

type WebhookRoutes = Handlers<keyof typeof contract>;

interface WebhookParts {
  webhooks: Webhooks;
  registry: Registry;
  callLog: CallLog;
}

export const webhookRoutes = (deps: WebhookParts): WebhookRoutes => ({
  ...endpointRoutes(deps),
  ...deliveryRoutes(deps),
});

const endpointRoutes = ({ webhooks, registry }: WebhookParts) =>
  ({
    'GET /webhooks': () =>
      webhooks.use(({ endpoints, deliveries }) =>
        Promise.all(
          endpoints.list().map(async (endpoint) => ({
            ...endpointView(endpoint),
            backlog: await deliveries.backlog(endpoint.id),
            health: await readHealth(webhooks, endpoint.id),
          })),
        ),
      ),
    'POST /webhooks': async ({ url = '', events = [], secret, ...target }) =>
      withSecret(
        await webhooks.add({
          ...endpointTarget(registry, target),
          url,
          events,
          ...(secret !== undefined && { secret }),
        }),
      ),
    'GET /webhooks/{endpoint}': ({ endpoint }) =>
      webhooks.use(async ({ endpoints }) => ({
        ...withSecret(endpoints.get(endpoint)),
        health: await readHealth(webhooks, endpoint),
      })),
    'PATCH /webhooks/{endpoint}': async ({ endpoint, ...changes }) =>
      endpointView(await webhooks.update(endpoint, changes)),
    'DELETE /webhooks/{endpoint}': ({ endpoint }) => webhooks.remove(endpoint),
    'POST /webhooks/{endpoint}/rotate': async ({ endpoint }) => withSecret(await webhooks.rotate(endpoint)),
    'POST /webhooks/{endpoint}/ping': ({ endpoint }) =>
      webhooks.use(({ endpoints }) => endpoints.ping(endpoint)),
  }) satisfies Partial<WebhookRoutes>;

const deliveryRoutes = ({ webhooks, callLog, registry }: WebhookParts) =>
  ({
    'GET /deliveries': ({ endpoint, failed, integration, ...query }) =>
      webhooks.use(async ({ deliveries }) => {
        if (integration !== undefined && integration !== registry.integration().name) return [];
        const found = await deliveries.list({
          ...query,
          ...(endpoint !== undefined && { endpointId: endpoint }),
          ...(failed && { failed }),
        });
        return withLastResults(webhooks, found);
      }),
    'GET /deliveries/failures': ({ since = 0, limit }) =>
      webhooks.use(async () => {
        const { failed, groups } = await webhooks.failures({ since, limit });
        const newest = await withLastResults(
          webhooks,
          groups.map((group) => group.newest),
        );
        return {
          failed,
          groups: groups.map((group, index) => ({ ...group, newest: newest[index] ?? group.newest })),
        };
      }),
    'GET /deliveries/{delivery}': ({ delivery: id }) =>
      webhooks.use(async ({ deliveries }) => {
        const found = await deliveries.get(id);
        if (!found) throw notFound(`Unknown delivery: ${id}.`);
        const { delivery, attempts, body } = found;
        const call = callLog.get(callOfEvent(delivery.eventId))?.id;
        return {
          delivery,
          ...(call !== undefined && { call }),
          attempts: attempts.map(attemptView),
          body: readBody(body),
        };
      }),
    'GET /deliveries/{delivery}/signed-request': ({ delivery }) =>
      webhooks.use(async ({ deliveries }) => {
        const { url, headers, body } = await deliveries.sign(delivery);
        return { url, headers: Object.entries(headers), body: new TextDecoder().decode(body) };
      }),
    'POST /deliveries/{delivery}/resend': ({ delivery }) =>
      webhooks.use(({ deliveries }) => deliveries.resend(delivery)),
    'POST /deliveries/{delivery}/skip-wait': ({ delivery }) =>
      webhooks.use(async ({ deliveries }) => {
        if (!(await deliveries.get(delivery)))
          throw new HttpError(404, 'unknown-delivery', `Unknown delivery: ${delivery}.`);
        return { skipped: await deliveries.skipWait(delivery) };
      }),
  }) satisfies Partial<WebhookRoutes>;

async function withLastResults(webhooks: Webhooks, found: Delivery[]) {
  const attempts = await webhooks.attemptsOf(found.filter(({ requests }) => requests > 0));
  return found.map((delivery) => listedDelivery(delivery, attempts.get(delivery.id)?.at(-1)));
}

/** Enough to show a trend, and few enough to read whenever the endpoints are listed. */
const newest = 50;

async function readHealth(webhooks: Webhooks, endpointId: string) {
  const found = await webhooks.use(({ deliveries }) => deliveries.list({ endpointId, limit: newest }));
  const attempts = await webhooks.attemptsOf(found);
  return healthView(healthOf(found.map(({ id }) => ({ id, attempts: attempts.get(id) ?? [] }))));
}

const withSecret = (endpoint: Endpoint) => ({ ...endpointView(endpoint), secret: endpoint.secret });

function endpointTarget(registry: Registry, { site, space, installation }: InstallTarget) {
  if ((site === undefined) === (space === undefined))
    throw invalid('Pass a site or a space.', { path: 'site' });
  const target =
    site === undefined ? { type: 'space' as const, id: space ?? '' } : { type: 'site' as const, id: site };
  return { installationId: requireInstallation(registry, installation).id, target };
}
