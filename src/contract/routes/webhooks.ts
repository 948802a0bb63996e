import { Type } from 'typebox';
import { deliveryStates } from '../../protocol/delivery-states.js';
import { count, defineRoutes, described, name, oneOf, optional, type Static, text } from '../basics/route.js';
import { BodyResource, Headers, ofIntegration, targetFields } from '../basics/resources.js';

const endpointFields = {
  id: text,
  integration: ofIntegration,
  installationId: text,
  target: Type.Object({ type: oneOf('space', 'site'), id: text }),
  url: text,
  events: Type.Array(text),
  enabled: Type.Boolean(),
  rotatesUntil: optional(
    Type.Number(),
    'Until this time, deliveries are also signed with the previous secret.',
  ),
  createdAt: Type.Number(),
};
const EndpointResource = Type.Object(endpointFields);
export type EndpointResource = Static<typeof EndpointResource>;

const EndpointWithSecret = Type.Object({ ...endpointFields, secret: text });

const DeliveryState = oneOf(...deliveryStates);

export const DeliveryResource = Type.Object({
  id: text,
  integration: ofIntegration,
  endpointId: text,
  url: optional(text, 'The URL of the last request. If there was no request, the URL of the endpoint.'),
  installationId: text,
  eventId: text,
  eventType: text,
  state: DeliveryState,
  phase: oneOf('waiting', 'preparing', 'sending', 'done'),
  createdAt: Type.Number(),
  dueAt: optional(Type.Number(), 'When the next request is due.'),
  finishedAt: optional(Type.Number()),
  attempts: described(Type.Integer(), 'Number of requests with a known outcome.'),
  requests: described(Type.Integer(), 'Number of requests that have started.'),
  crashes: count,
  bodyBytes: count,
  resentFrom: optional(text),
});
export type DeliveryResource = Static<typeof DeliveryResource>;

const failedResults = [
  Type.Object({ kind: oneOf('error'), error: text, message: text }),
  Type.Object({ kind: oneOf('interrupted') }),
] as const;

/** The result of a request, without the response body. */
const AttemptOutcome = Type.Union([
  Type.Object({
    kind: oneOf('answer'),
    status: Type.Integer(),
    message: optional(text, 'What the body of the response says about the error, in one line.'),
  }),
  ...failedResults,
]);

const ListedDelivery = Type.Object({
  ...DeliveryResource.properties,
  lastResult: optional(AttemptOutcome),
  lastDurationMs: optional(Type.Number(), 'How long the last request took.'),
});
export type ListedDelivery = Static<typeof ListedDelivery>;

const DeliveryFailureGroup = Type.Object({
  integration: ofIntegration,
  newest: ListedDelivery,
  deliveries: count,
  first: described(Type.Number(), 'When the first of the deliveries was queued.'),
  last: described(Type.Number(), 'When the last of the deliveries was queued.'),
});
export type DeliveryFailureGroup = Static<typeof DeliveryFailureGroup>;

const DeliveryFailures = Type.Object({
  failed: described(count, 'The total number of failed deliveries.'),
  groups: Type.Array(DeliveryFailureGroup),
});
export type DeliveryFailures = Static<typeof DeliveryFailures>;

export const AttemptResource = Type.Object({
  number: count,
  startedAt: Type.Number(),
  durationMs: Type.Number(),
  request: optional(
    Type.Object({ url: text, headers: Headers }),
    'Absent if the platform stopped during the request.',
  ),
  result: Type.Union([
    Type.Object({ kind: oneOf('answer'), status: Type.Integer(), body: BodyResource }),
    ...failedResults,
  ]),
});
export type AttemptResource = Static<typeof AttemptResource>;

/** The combined results of the requests for an endpoint's 50 most recent deliveries. */
const EndpointHealth = Type.Object({
  requests: count,
  succeeded: count,
  since: optional(Type.Number(), 'When the first of these requests started.'),
  p95Ms: optional(Type.Number(), '95th percentile: 95% of the requests took no longer than this.'),
  lastFailure: optional(Type.Object({ delivery: text, startedAt: Type.Number(), result: AttemptOutcome })),
});
export type EndpointHealth = Static<typeof EndpointHealth>;

const ListedEndpoint = Type.Object({
  ...endpointFields,
  backlog: Type.Object({
    pending: count,
    retrying: count,
    held: described(
      count,
      'Deliveries that wait until the endpoint is enabled, or its installation resumed.',
    ),
    inFlight: count,
  }),
  health: EndpointHealth,
});
export type ListedEndpoint = Static<typeof ListedEndpoint>;

const one = Type.Object({ endpoint: name });
const delivery = Type.Object({ delivery: name });
/**
 * The errors of routes that change deliveries. They occur while the platform is stopping, or when another process has taken
 * over the deliveries.
 */
const unavailable = ['closed', 'in-use', 'right-lost'] as const;
const endpointErrors = ['unknown-endpoint', ...unavailable] as const;

export const webhookRoutes = defineRoutes({
  'GET /webhooks': {
    summary: 'List webhook endpoints, with their pending deliveries and request results',
    output: Type.Array(ListedEndpoint),
    errors: unavailable,
  },
  'POST /webhooks': {
    summary: 'Add a webhook endpoint to a space or a site',
    input: Type.Object({
      ...targetFields,
      url: optional(text),
      events: optional(Type.Array(text)),
      secret: optional(text, 'Secret that signs the deliveries. Default: a random secret.'),
    }),
    output: EndpointWithSecret,
    errors: ['invalid-endpoint', 'not-found', 'not-installed', ...unavailable],
    reveals: true,
  },
  'GET /webhooks/{endpoint}': {
    summary: 'Get an endpoint with its secret and request results',
    input: one,
    output: Type.Object({ ...EndpointWithSecret.properties, health: EndpointHealth }),
    errors: endpointErrors,
    reveals: true,
  },
  'PATCH /webhooks/{endpoint}': {
    summary: 'Change, enable or disable an endpoint',
    input: Type.Object({
      endpoint: name,
      url: optional(text),
      events: optional(Type.Array(text)),
      enabled: optional(Type.Boolean()),
    }),
    output: EndpointResource,
    errors: ['invalid-endpoint', ...endpointErrors],
  },
  'DELETE /webhooks/{endpoint}': {
    summary: 'Remove an endpoint, which makes its pending deliveries fail',
    input: one,
    errors: endpointErrors,
  },
  'POST /webhooks/{endpoint}/rotate': {
    summary: 'Create a new secret, and keep the previous one valid for a day',
    input: one,
    output: EndpointWithSecret,
    errors: endpointErrors,
    reveals: true,
  },
  'POST /webhooks/{endpoint}/ping': {
    summary: 'Send a ping event to an endpoint',
    input: one,
    output: DeliveryResource,
    errors: ['endpoint-disabled', ...endpointErrors],
  },
  'GET /deliveries': {
    summary: 'List the webhook deliveries, newest first',
    input: Type.Object({
      endpoint: optional(text, 'Only deliveries to this endpoint.'),
      state: optional(DeliveryState),
      failed: optional(Type.Boolean(), 'true: only failed deliveries.'),
      integration: optional(text, 'Only deliveries of this integration, if the session runs several.'),
      before: optional(text, 'Only deliveries older than this one.'),
      limit: optional(Type.Integer({ minimum: 0, maximum: 999_999 }), 'Maximum number of deliveries.'),
    }),
    output: Type.Array(ListedDelivery),
    errors: ['unknown-endpoint', 'unknown-delivery', ...unavailable],
  },
  'GET /deliveries/failures': {
    summary: 'Count the failed deliveries, grouped by endpoint, event type and reason, newest first',
    input: Type.Object({
      since: optional(
        Type.Number(),
        'Only deliveries that were queued at this time or later, in milliseconds since 1970.',
      ),
      limit: described(Type.Integer({ minimum: 1, maximum: 100 }), 'Maximum number of groups.'),
    }),
    output: DeliveryFailures,
    errors: unavailable,
  },
  'GET /deliveries/{delivery}': {
    summary: 'Get a delivery with its body and each attempt',
    input: delivery,
    output: Type.Object({
      delivery: DeliveryResource,
      call: optional(text, 'The id of the call that received the same event.'),
      attempts: Type.Array(AttemptResource),
      body: BodyResource,
    }),
    errors: ['not-found', ...unavailable],
  },
  'GET /deliveries/{delivery}/signed-request': {
    summary: "Get a delivery's request with a new signature, which receivers accept for five minutes",
    input: delivery,
    output: Type.Object({ url: text, headers: Headers, body: text }),
    errors: ['unknown-delivery', 'unknown-endpoint', ...unavailable],
    reveals: true,
  },
  'POST /deliveries/{delivery}/resend': {
    summary: 'Send the same event again, as a new delivery',
    input: delivery,
    output: DeliveryResource,
    errors: ['unknown-delivery', 'unknown-endpoint', 'endpoint-disabled', ...unavailable],
  },
  'POST /deliveries/{delivery}/skip-wait': {
    summary: 'Send the next request of a waiting delivery now',
    input: delivery,
    output: Type.Object({ skipped: Type.Boolean() }),
    errors: ['unknown-delivery', ...unavailable],
  },
});
