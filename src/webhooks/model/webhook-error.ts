import { CodedError, recognize } from '../../base/coded-error.js';

/** Error codes of a dispatcher. */
export type WebhookErrorCode =
  | 'invalid-endpoint'
  | 'unknown-endpoint'
  | 'unknown-delivery'
  | 'endpoint-disabled'
  | 'closed'
  /** Another dispatcher is delivering from this store. */
  | 'in-use'
  /** This process no longer holds the lock required to deliver from this store. */
  | 'right-lost';

/** Thrown when the dispatcher cannot do what it was asked to do. */
export class WebhookError extends CodedError<WebhookErrorCode> {
  override readonly name = 'WebhookError';
}

export const isWebhookError = recognize<WebhookError>('WebhookError');

export const isRightLost = (error: unknown): boolean => isWebhookError(error) && error.code === 'right-lost';
