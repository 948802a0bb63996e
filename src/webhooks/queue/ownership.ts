import { WebhookError } from '../webhook-error.js';
import type { DeliveryOwner, DeliveryRight, NextDue } from './delivery-store.js';

type Work = Omit<DeliveryRight, 'lost' | 'release'>;

export interface Ownership {
  /** Throws while there is an owner. `onRelease` runs when it ends. */
  take(owner: DeliveryOwner, work: Work, onRelease?: () => void): DeliveryRight;
  /** Notifies the owner, if there is one, of due deliveries. */
  tell(endpointId: string, next: NextDue): void;
  /** Ends the right of the owner. */
  end(): void;
}

export const inUse = (what: string): WebhookError =>
  new WebhookError(
    'in-use',
    `${what} is already delivered from by another dispatcher. Close that one first, or give this one a store of its own.`,
  );

/** One owner at a time. It is notified of due deliveries, and refused once its ownership has ended. */
export function createOwnership(): Ownership {
  let current: { owner: DeliveryOwner; end(): void } | undefined;

  return {
    take(owner, work, onRelease) {
      if (current) throw inUse('This delivery store');
      const lost = new AbortController();
      const own = {
        owner,
        end() {
          if (current !== own) return;
          current = undefined;
          lost.abort(new WebhookError('right-lost', 'This dispatcher no longer delivers from its store.'));
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
    tell: (endpointId, next) => current?.owner.onDue(endpointId, next),
    end: () => current?.end(),
  };
}
