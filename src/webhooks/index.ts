export type {
  PageFeedbackEvent,
  SiteViewEvent,
  SpaceContentUpdatedEvent,
  Visitor,
  WebhookEvent,
} from '../protocol/events.js';
export { signPayload, verifySignature, type VerifyOptions } from '../protocol/signature.js';
export type { NodeListener, NodeRequest, NodeResponse } from './node-listener.js';
export { createWebhookReceiver, type WebhookReceiver, type WebhookReceiverOptions } from './receiver.js';
export type { SeenEvents } from './seen-events.js';
