import { CodedError, recognize } from '../../base/coded-error.js';

export type WebhookErrorCode =
  | 'invalid-endpoint'
  | 'unknown-endpoint'
  | 'unknown-delivery'
  | 'endpoint-disabled'
  | 'closed'
  /** Another dispatcher delivers from this store. */
  | 'in-use'
  /** The right to deliver from this store has ended. */
  | 'right-lost';

/** A request to the dispatcher that cannot be fulfilled. */
export class WebhookError extends CodedError<WebhookErrorCode> {
  override readonly name = 'WebhookError';
}

export const isWebhookError = recognize<WebhookError>('WebhookError');

export const isRightLost = (error: unknown): boolean => isWebhookError(error) && error.code === 'right-lost';
