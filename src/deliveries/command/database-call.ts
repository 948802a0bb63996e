import type { Clock } from '../../base/clock.js';
import { UserError } from '../../base/user-error.js';
import type { Call } from '../../contract/call.js';
import type { Handlers, RouteName } from '../../contract/console-api.js';
import { attemptView, endpointView, healthView, listedDelivery } from '../../webhooks/views.js';
import { readBody } from '../../base/text/read-body.js';
import type { ListedEndpoint, PostgresDeliveryStore } from '../index.js';
import { healthOf } from '../../webhooks/endpoint-health.js';
import { createEndpointRegistry, unknownEndpoint } from '../../webhooks/endpoint-registry.js';
import type { Endpoint } from '../../webhooks/model/endpoint.js';
import { createIntake } from '../../webhooks/intake.js';
import type { Delivery } from '../../webhooks/model/delivery.js';

/** Enough to show a trend. */
const newest = 50;

/** Serves the webhook routes from a database, so commands print the same output as they do with a running session. */
export function createDatabaseCall(store: PostgresDeliveryStore, clock: Clock): Call {
  /** Opens the registry, which reads the signing secrets and therefore requires a permission. */
  const openRegistry = async () => createEndpointRegistry(store, clock, await store.endpoints());

  const listed = async (delivery: Delivery) => {
    if (delivery.requests === 0) return delivery;
    return listedDelivery(delivery, (await store.attempts(delivery.id)).at(-1));
  };
  const detailed = async (endpoint: ListedEndpoint) => {
    const found = await store.list({ endpointId: endpoint.id, limit: newest });
    const sent = await Promise.all(found.map(async ({ id }) => ({ id, attempts: await store.attempts(id) })));
    return { ...endpoint, backlog: await store.backlog(endpoint.id), health: healthView(healthOf(sent)) };
  };
  const withSecret = (endpoint: Endpoint) => ({ ...endpointView(endpoint), secret: endpoint.secret });

  const handlers = {
    async 'GET /webhooks'() {
      const all = await store.listEndpoints();
      // Reading the details takes several queries for each item, so they are omitted from a long list.
      if (all.length > newest) return all as never;
      return Promise.all(all.map(detailed));
    },
    async 'POST /webhooks'({ url = '', events = [], secret, installation, site, space }) {
      const id = site ?? space;
      if (installation === undefined || id === undefined) {
        throw new UserError(
          'missing-input',
          'To create an endpoint in a database, pass --installation and either --site or --space.',
        );
      }
      const target = { type: site === undefined ? ('space' as const) : ('site' as const), id };
      const added = { installationId: installation, target, url, events };
      const endpoints = await openRegistry();
      return withSecret(await endpoints.add({ ...added, ...(secret !== undefined && { secret }) }));
    },
    async 'GET /webhooks/{endpoint}'({ endpoint }) {
      const found = (await openRegistry()).get(endpoint);
      return { ...(await detailed(endpointView(found))), secret: found.secret };
    },
    async 'PATCH /webhooks/{endpoint}'({ endpoint, ...changes }) {
      const changed = await store.updateEndpoint(endpoint, changes);
      if (!changed) throw unknownEndpoint(endpoint);
      return changed;
    },
    async 'DELETE /webhooks/{endpoint}'({ endpoint }) {
      find(await store.listEndpoints(), endpoint);
      await store.removeEndpoint(endpoint);
    },
    'POST /webhooks/{endpoint}/rotate': async ({ endpoint }) =>
      withSecret(await (await openRegistry()).rotateSecret(endpoint)),
    async 'GET /deliveries'({ endpoint, failed, ...query }) {
      const found = await store.list({
        ...query,
        ...(endpoint !== undefined && { endpointId: endpoint }),
        ...(failed && { failed }),
      });
      return Promise.all(found.map(listed));
    },
    async 'GET /deliveries/{delivery}'({ delivery: id }) {
      const delivery = await store.get(id);
      const body = await store.body(id);
      if (!delivery || !body)
        throw new UserError(
          'not-found',
          `Unknown delivery: ${id}.`,
          'List the deliveries with: platform-webhooks deliveries',
        );
      return { delivery, attempts: (await store.attempts(id)).map(attemptView), body: readBody(body) };
    },
    async 'POST /deliveries/{delivery}/resend'({ delivery }) {
      const listed = await store.listEndpoints();
      const { resend } = createIntake({
        store,
        clock,
        endpoints: { get: (id) => find(listed, id), ofInstallation: () => [] },
        discardIfRemoved: async () => {},
        isClosed: () => false,
        onQueued: () => undefined,
      });
      return resend(delivery);
    },
  } satisfies Partial<Handlers<RouteName>>;

  const answer = handlers as unknown as Record<string, (input: unknown) => Promise<never>>;
  return async (route, ...[input]) => {
    const handler = answer[route];
    if (!handler) throw new Error(`${route} is not available for a database.`);
    return handler(input === undefined ? {} : withoutUndefined(input));
  };
}

function find(endpoints: readonly ListedEndpoint[], id: string): ListedEndpoint {
  const found = endpoints.find((endpoint) => endpoint.id === id);
  if (!found) throw unknownEndpoint(id);
  return found;
}

/** As in a request, an undefined field is treated as absent. */
const withoutUndefined = (input: object): object =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
