import { WebhookError } from '../model/webhook-error.js';
import type { DeliveryOwner, DeliveryRight, NextDue } from '../model/delivery-store.js';

type Work = Omit<DeliveryRight, 'lost' | 'release'>;

export type DeliveryOwnership = ReturnType<typeof createDeliveryOwnership>;

export const inUse = (what: string): WebhookError =>
  new WebhookError(
    'in-use',
    `Another dispatcher is already delivering from ${what}. Close it first, or give this dispatcher its own store.`,
  );

/**
 * Allows only one owner at a time. Notifies the owner when deliveries are due, and rejects calls made after the
 * ownership has ended.
 */
export function createDeliveryOwnership() {
  let current: { owner: DeliveryOwner; end(): void } | undefined;

  return {
    /** Throws if there is already an owner. `onRelease` is called when the ownership ends. */
    take(owner: DeliveryOwner, work: Work, onRelease?: () => void): DeliveryRight {
      if (current) throw inUse('this delivery store');
      const lost = new AbortController();
      const own = {
        owner,
        end() {
          if (current !== own) return;
          current = undefined;
          lost.abort(
            new WebhookError('right-lost', 'This dispatcher no longer holds the delivery lock of its store.'),
          );
          onRelease?.();
        },
      };
      current = own;
      const check = (): void => lost.signal.throwIfAborted();
      return {
        lost: lost.signal,
        async claim(requests) {
          check();
          return work.claim(requests);
        },
        async markSent(id) {
          check();
          return work.markSent(id);
        },
        async recordOutcome(outcome) {
          check();
          return work.recordOutcome(outcome);
        },
        release: async () => own.end(),
      };
    },
    tell: (endpointId: string, next: NextDue) => current?.owner.onDue(endpointId, next),
    end: () => current?.end(),
  };
}
