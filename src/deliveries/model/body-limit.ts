import type { NewDelivery } from '../../webhooks/model/delivery-store.js';
import { StoreError } from '../../base/store-error.js';

/** This limit is low because several copies of a body are in memory while it is read, signed and sent. */
export const defaultMaxBodyBytes = 1024 * 1024;

/** Throws if a body is larger than the limit. */
export function requireBodies(deliveries: readonly NewDelivery[], maxBodyBytes: number): void {
  for (const { eventId, body } of deliveries) {
    if (body.byteLength <= maxBodyBytes) continue;
    throw new StoreError(
      'store/too-large',
      `The event ${eventId} has ${body.byteLength} bytes, but at most ${maxBodyBytes} bytes are allowed.`,
      { hint: 'Send less data, or raise the limit: maxBodyBytes here, and --max-body of all workers.' },
    );
  }
}
