import { createVirtualClock, type VirtualClock } from '../../src/base/clock.js';
import type { StoreLimits } from '../../src/store/model/store-limits.js';
import type { Endpoint } from '../../src/webhooks/model/endpoint.js';
import type {
  ClaimResult,
  DeliveryOwner,
  DeliveryRight,
  DeliveryStore,
  NewDelivery,
  NextDue,
} from '../../src/webhooks/model/delivery-store.js';
import type { Attempt, AttemptResult } from '../../src/webhooks/model/delivery.js';

let events = 0;

export const fresh = (more: Partial<NewDelivery> = {}): NewDelivery => ({
  endpointId: 'ep',
  installationId: 'inst',
  eventId: `evt_${(events += 1)}`,
  eventType: 'site_view',
  body: new Uint8Array([1, 2]),
  createdAt: 100,
  ...more,
});

/** Its body names the event. */
export const eventTo = (endpointId: string, eventId: string): NewDelivery =>
  fresh({ endpointId, eventId, body: Buffer.from(JSON.stringify({ eventId })) });

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

/** Hears nothing. */
export const silentOwner: DeliveryOwner = {
  poisonAfter: 5,
  onDue: () => undefined,
  onChanged: () => undefined,
  onTrouble: () => undefined,
};

/** One kind of delivery store. */
export interface DeliveriesUnderTest {
  /** Keeps phases, tells its owner to the millisecond what is due, and lives in the time of its clock. */
  exact: boolean;
  open(limits?: Partial<StoreLimits>, clock?: VirtualClock): Promise<OpenDeliveries>;
}

interface OpenDeliveries {
  deliveries: DeliveryStore;
  /** Resolves when the owner knows of all that is due. */
  settle(): Promise<void>;
  pass(ms: number): Promise<void>;
  /** The owner dies. */
  kill(right: DeliveryRight): Promise<void>;
  trim(): Promise<unknown>;
}

export interface Owned extends Omit<OpenDeliveries, 'kill' | 'settle'> {
  clock: VirtualClock;
  right: DeliveryRight;
  /** What the owner was told to be due, since the last look. */
  due(): [string, NextDue][];
  claim(limit?: number, suspects?: boolean): Promise<string[]>;
  claimOf(endpointIds: string[], limit: number): Promise<ClaimResult[]>;
  /** The owner dies, and the next one takes over. */
  takeOver(): Promise<void>;
}

/** A store at the time 100, and its owner. */
export async function own(store: DeliveriesUnderTest, limits: Partial<StoreLimits> = {}): Promise<Owned> {
  const clock = createVirtualClock(100);
  const { deliveries, settle, kill, pass, trim } = await store.open(limits, clock);
  const told: [string, NextDue][] = [];
  const take = (): Promise<DeliveryRight> =>
    deliveries.own({ ...silentOwner, poisonAfter: 3, onDue: (id, next) => void told.push([id, next]) });
  await deliveries.putEndpoint(endpoint);
  const owned: Owned = {
    clock,
    deliveries,
    pass,
    trim,
    right: await take(),
    due: () => told.splice(0),
    async claim(limit = 10, suspects = false) {
      const claimed: string[] = [];
      for (let before = -1; before < claimed.length && claimed.length < limit;) {
        before = claimed.length;
        await settle();
        const request = { endpointId: 'ep', limit: suspects ? 1 : limit - before, suspects };
        const [result] = await owned.right.claim([request]);
        claimed.push(...(result?.deliveries ?? []).map(({ id }) => id));
      }
      return claimed;
    },
    async claimOf(endpointIds, limit) {
      await settle();
      return owned.right.claim(endpointIds.map((endpointId) => ({ endpointId, limit, suspects: false })));
    },
    async takeOver() {
      await kill(owned.right);
      owned.right = await take();
    },
  };
  owned.due();
  return owned;
}

export const endpoint: Endpoint = {
  id: 'ep',
  installationId: 'inst',
  target: { type: 'site', id: 'site\0' },
  url: 'http://127.0.0.1/',
  events: ['site_view'],
  enabled: true,
  secret: 's',
  createdAt: 1,
};
