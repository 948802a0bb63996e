import type { DeliveryQuery } from '../../../webhooks/queue/delivery-store.js';
import type { DeliveryState } from '../../../webhooks/queue/delivery.js';
import type { Endpoint } from '../../../webhooks/endpoint.js';
import { invalid, notFound } from '../../http/http-error.js';
import { requireInstallation } from '../../state/require-installation.js';
import { readBody } from '../../calls/replay.js';
import type { Registry } from '../../state/registry.js';
import type { Webhooks } from '../../calls/webhook-events.js';
import { defineRoute, object, placeProperties, text, texts, type ConsoleRoute } from './console-route.js';
import { given, readFlag, readPlace, readText, readTexts } from './request-fields.js';
import { attemptView, endpointView } from './response-views.js';

export const webhookRoutes = (deps: { webhooks: Webhooks; registry: Registry }): ConsoleRoute[] => [
  ...endpointRoutes(deps),
  ...deliveryRoutes(deps.webhooks),
];

function endpointRoutes({ webhooks, registry }: { webhooks: Webhooks; registry: Registry }): ConsoleRoute[] {
  const withSecret = (endpoint: Endpoint) => ({ ...endpointView(endpoint), secret: endpoint.secret });
  return [
    defineRoute({
      method: 'GET',
      path: '/webhooks',
      summary: 'Webhook endpoints, and what waits for each',
      answer: 'A list of endpoints, without their secrets.',
      run: () =>
        webhooks.use(({ endpoints, deliveries }) =>
          Promise.all(
            endpoints.list().map(async (endpoint) => ({
              ...endpointView(endpoint),
              backlog: await deliveries.backlog(endpoint.id),
            })),
          ),
        ),
    }),
    defineRoute({
      method: 'POST',
      path: '/webhooks',
      summary: 'Add a webhook endpoint to a space or a site',
      body: object({ ...placeProperties, url: text, events: texts, secret: text }, ['url', 'events']),
      answer: 'The endpoint with its secret.',
      reveals: true,
      async run({ body }) {
        const request = await body();
        const endpoint = await webhooks.add({
          ...placeIn(registry, request),
          url: readText(request, 'url') ?? '',
          events: readTexts(request, 'events') ?? [],
          ...given('secret', readText(request, 'secret')),
        });
        return withSecret(endpoint);
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/webhooks/{endpoint}',
      summary: 'One endpoint',
      answer: 'The endpoint with its secret.',
      reveals: true,
      run: ({ part }) => webhooks.use(({ endpoints }) => withSecret(endpoints.get(part('endpoint')))),
    }),
    defineRoute({
      method: 'PATCH',
      path: '/webhooks/{endpoint}',
      summary: 'Change an endpoint, enable or disable it',
      body: object({ url: text, events: texts, enabled: { type: 'boolean' } }),
      answer: 'The endpoint.',
      async run({ part, body }) {
        const request = await body();
        const changes = {
          ...given('url', readText(request, 'url')),
          ...given('events', readTexts(request, 'events')),
          ...given('enabled', readFlag(request, 'enabled')),
        };
        return endpointView(await webhooks.update(part('endpoint'), changes));
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/webhooks/{endpoint}',
      summary: 'Remove an endpoint; what waits for it fails',
      answer: 'Nothing.',
      run: ({ part }) => webhooks.remove(part('endpoint')),
    }),
    defineRoute({
      method: 'POST',
      path: '/webhooks/{endpoint}/rotate',
      summary: 'Give it a new secret; the old one signs as well for a day',
      answer: 'The endpoint with its new secret.',
      reveals: true,
      run: async ({ part }) => withSecret(await webhooks.rotate(part('endpoint'))),
    }),
    defineRoute({
      method: 'POST',
      path: '/webhooks/{endpoint}/ping',
      summary: 'Send it an event of type ping',
      answer: 'The delivery.',
      run: ({ part }) => webhooks.use(({ endpoints }) => endpoints.ping(part('endpoint'))),
    }),
  ];
}

function deliveryRoutes(webhooks: Webhooks): ConsoleRoute[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/deliveries',
      summary: 'Webhook deliveries, newest first',
      parameters: {
        endpoint: 'only to this endpoint',
        state: 'only in this state',
        failed: 'true: only those that came to nothing',
        before: 'only older than this delivery',
        limit: 'at most so many',
      },
      answer: 'A list of deliveries.',
      run: ({ query }) => webhooks.use(({ deliveries }) => deliveries.list(readQuery(query))),
    }),
    defineRoute({
      method: 'GET',
      path: '/deliveries/{delivery}',
      summary: 'One delivery: its body and each attempt',
      answer: 'The delivery, the attempts and the body.',
      run: ({ part }) =>
        webhooks.use(async ({ deliveries }) => {
          const found = await deliveries.get(part('delivery'));
          if (!found) throw notFound(`There is no delivery ${part('delivery')}.`);
          const { delivery, attempts, body } = found;
          return { delivery, attempts: attempts.map(attemptView), body: readBody(body) };
        }),
    }),
    defineRoute({
      method: 'POST',
      path: '/deliveries/{delivery}/resend',
      summary: 'Send the same event once more',
      answer: 'The new delivery.',
      run: ({ part }) => webhooks.use(({ deliveries }) => deliveries.resend(part('delivery'))),
    }),
    defineRoute({
      method: 'POST',
      path: '/deliveries/{delivery}/skip-wait',
      summary: 'Make the next request of a waiting delivery now',
      answer: 'Whether it was waiting.',
      run: ({ part }) =>
        webhooks.use(async ({ deliveries }) => ({ skipped: await deliveries.skipWait(part('delivery')) })),
    }),
  ];
}

function placeIn(registry: Registry, body: Record<string, unknown>) {
  const { site, space, installation } = readPlace(body);
  if ((site === undefined) === (space === undefined))
    throw invalid('Name a site or a space.', { path: 'site' });
  const place =
    site === undefined ? { type: 'space' as const, id: space ?? '' } : { type: 'site' as const, id: site };
  return { installationId: requireInstallation(registry, installation).id, place };
}

const states: DeliveryState[] = ['pending', 'retrying', 'delivered', 'failed', 'exhausted', 'poisoned'];

function readQuery(query: (name: string) => string | undefined): DeliveryQuery {
  const state = query('state');
  if (state !== undefined && !(states as string[]).includes(state)) {
    throw invalid(`There is no state ${state}.`, { path: 'state', known: states });
  }
  const limit = query('limit');
  if (limit !== undefined && !/^\d{1,6}$/.test(limit))
    throw invalid('limit has to be a number.', { path: 'limit' });
  return {
    ...given('endpointId', query('endpoint')),
    ...given('state', state as DeliveryState | undefined),
    ...given('before', query('before')),
    ...(query('failed') === 'true' && { failed: true }),
    ...(limit !== undefined && { limit: Number(limit) }),
  };
}
