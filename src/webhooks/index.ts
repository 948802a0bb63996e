export type {
  PageFeedbackEvent,
  SiteViewEvent,
  SpaceContentUpdatedEvent,
  Visitor,
  WebhookEvent,
} from '../protocol/events.js';
export { signPayload, verifySignature, type VerifyOptions } from '../protocol/signature.js';
export type { NodeListener, NodeRequest, NodeResponse } from './receive/node-listener.js';
export {
  createWebhookReceiver,
  type WebhookReceiver,
  type WebhookReceiverOptions,
} from './receive/receiver.js';
export type { SeenEvents } from './receive/receiver.js';
export { systemClock, type Clock, type SystemClock } from '../base/clock.js';
export { selectableEvents } from '../protocol/webhook-events.js';
export type {
  Backlog,
  ClaimRequest,
  ClaimResult,
  DeliveryOutcome,
  DeliveryOwner,
  DeliveryQuery,
  DeliveryRight,
  DeliveryStore,
  NewDelivery,
  NextDue,
} from './model/delivery-store.js';
export type {
  Attempt,
  AttemptResult,
  Delivery,
  DeliveryPhase,
  DeliveryState,
  NetworkErrorKind,
} from './model/delivery.js';
export {
  createWebhookDispatcher,
  type DeliveryChange,
  type DeliveryDetails,
  type WebhookDispatcher,
  type WebhookDispatcherOptions,
} from './dispatcher.js';
export {
  keepDelivering,
  type KeepDeliveringOptions,
  type KeptDelivery,
  type KeptDeliveryChange,
} from './keep-delivering.js';
export type { EventLike } from './intake.js';
export type { EndpointChanges, EndpointRegistry, NewEndpoint } from './endpoint-registry.js';
export type { Endpoint, EndpointTarget } from './model/endpoint.js';
export { createMemoryDeliveryStore, type MemoryDeliveryStoreOptions } from './queue/memory-delivery-store.js';
export type { WebhookFetch } from './send/send-request.js';
export { WebhookError, type WebhookErrorCode } from './model/webhook-error.js';
