import { createVirtualClock, type VirtualClock } from '../../src/base/clock.js';
import type { StoreLimits } from '../../src/store/store-limits.js';
import type { Endpoint } from '../../src/webhooks/endpoint.js';
import type {
  DeliveryRight,
  DeliveryStore,
  NewDelivery,
  NextDue,
} from '../../src/webhooks/queue/delivery-store.js';
import type { Attempt, AttemptResult } from '../../src/webhooks/queue/delivery.js';
import type { StoreUnderTest } from './each-store.js';

export const fresh = (more: Partial<NewDelivery> = {}): NewDelivery => ({
  endpointId: 'ep',
  installationId: 'inst',
  eventId: 'evt',
  eventType: 'site_view',
  body: new Uint8Array([1, 2]),
  createdAt: 100,
  ...more,
});

export const attempt = (number: number, result: AttemptResult): Attempt => ({
  number,
  startedAt: 110,
  durationMs: 5,
  result,
});
export const answer = (status: number): AttemptResult => ({
  kind: 'answer',
  status,
  body: new Uint8Array([111, 107]),
});

export interface Owned {
  clock: VirtualClock;
  deliveries: DeliveryStore;
  right: DeliveryRight;
  /** What the owner was told to be due, since the last look. */
  due(): [string, NextDue][];
  claim(limit?: number, suspects?: boolean): Promise<string[]>;
  /** The owner dies, and the next one takes over. */
  takeOver(): Promise<void>;
}

/** A store at the time 100, and its owner. */
export async function own(store: StoreUnderTest, limits: Partial<StoreLimits> = {}): Promise<Owned> {
  const clock = createVirtualClock(100);
  const { deliveries } = store.open(limits, clock);
  const told: [string, NextDue][] = [];
  const take = (): Promise<DeliveryRight> =>
    deliveries.own({ poisonAfter: 3, onDue: (endpointId, next) => void told.push([endpointId, next]) });
  await deliveries.putEndpoint(endpoint);
  const owned: Owned = {
    clock,
    deliveries,
    right: await take(),
    due: () => told.splice(0),
    async claim(limit = 10, suspects = false) {
      const [result] = await owned.right.claim([{ endpointId: 'ep', limit, suspects }]);
      return result?.deliveries.map(({ id }) => id) ?? [];
    },
    async takeOver() {
      await owned.right.release();
      owned.right = await take();
    },
  };
  owned.due();
  return owned;
}

export const endpoint: Endpoint = {
  id: 'ep',
  installationId: 'inst',
  place: { type: 'site', id: 'site\0' },
  url: 'http://127.0.0.1/',
  events: ['site_view'],
  enabled: true,
  secret: 's',
  createdAt: 1,
};
