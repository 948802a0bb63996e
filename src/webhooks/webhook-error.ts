export type WebhookErrorCode =
  | 'invalid-endpoint'
  | 'unknown-endpoint'
  | 'unknown-delivery'
  | 'endpoint-disabled'
  | 'closed';

/** What was asked of the dispatcher cannot be done. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  readonly code: WebhookErrorCode;

  constructor(code: WebhookErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
