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
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  readonly code: WebhookErrorCode;

  constructor(code: WebhookErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Compares by name, because a store may be bundled separately, with its own copy of the class. */
export const isRightLost = (error: unknown): boolean =>
  error instanceof Error && error.name === 'WebhookError' && 'code' in error && error.code === 'right-lost';
