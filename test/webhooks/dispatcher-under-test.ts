import { createVirtualClock, type SystemClock, type VirtualClock } from '../../src/base/clock.js';
import type { SiteViewEvent } from '../../src/protocol/events.js';
import { createMemoryStore } from '../../src/store/store.js';
import {
  createWebhookDispatcher,
  type WebhookDispatcher,
  type WebhookDispatcherOptions,
} from '../../src/webhooks/dispatcher.js';
import type { Endpoint } from '../../src/webhooks/model/endpoint.js';
import type { DeliveryRight, DeliveryStore } from '../../src/webhooks/model/delivery-store.js';
import type { NewEndpoint } from '../../src/webhooks/endpoint-registry.js';

export const start = 1_700_000_000_000;

export const siteView = (eventId: string, siteId = 'site'): SiteViewEvent => ({
  eventId,
  type: 'site_view',
  installationId: 'ins',
  siteId,
  visitor: { anonymousId: 'a', userAgent: 'Mozilla/5.0 ü', ip: '127.0.0.1', cookies: {} },
  url: 'https://docs.example.com/page',
  referrer: 'https://example.com/',
});

export const siteEndpoint = (more: Partial<NewEndpoint> = {}): NewEndpoint => ({
  installationId: 'ins',
  target: { type: 'site', id: 'site' },
  url: 'http://receiver.test/hook',
  events: ['site_view'],
  ...more,
});

/** A store whose owner can die: it loses its right, and the next one may come. */
export function withMortalOwner(store: DeliveryStore): DeliveryStore & { die(): Promise<void> } {
  let right: DeliveryRight | undefined;
  return { ...store, own: async (to) => (right = await store.own(to)), die: async () => right?.release() };
}

/** A dispatcher without jitter that sends with `fetch`. */
export const openDispatcher = (
  store: DeliveryStore,
  clock: SystemClock,
  fetch: WebhookDispatcherOptions['fetch'],
): Promise<WebhookDispatcher> =>
  createWebhookDispatcher({ store, clock, timers: clock, random: () => 0, version: '1', fetch });

export interface Sent {
  at: number;
  url: string;
  headers: Headers;
  body: string;
}

export type Answering = (sent: Sent, signal: AbortSignal) => Response | Promise<Response>;

export const hang = (signal: AbortSignal): Promise<Response> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));

export interface Bench {
  clock: VirtualClock;
  dispatcher: WebhookDispatcher;
  endpoint: Endpoint;
  sent: Sent[];
  /** Lets everything happen that is due within so many milliseconds, at its time. */
  pass(ms: number): Promise<void>;
}

/** A dispatcher on the virtual clock, with one endpoint and answers made up by the test. */
export async function createBench(
  answer: Answering,
  more: Partial<WebhookDispatcherOptions> & { endpoint?: Partial<NewEndpoint> } = {},
): Promise<Bench> {
  const clock = createVirtualClock(start);
  const sent: Sent[] = [];
  const fetch: WebhookDispatcherOptions['fetch'] = async (url, { headers, body, signal }) => {
    const request: Sent = {
      at: clock.now(),
      url,
      headers: new Headers(headers),
      body: new TextDecoder().decode(body),
    };
    sent.push(request);
    return answer(request, signal);
  };
  const dispatcher = await createWebhookDispatcher({
    store: createMemoryStore(clock).deliveries,
    clock,
    timers: clock,
    random: Math.random,
    fetch,
    version: '1.2.3',
    ...more,
  });
  const endpoint = await dispatcher.endpoints.add(siteEndpoint(more.endpoint));
  return { clock, dispatcher, endpoint, sent, pass: (ms) => pass(clock, dispatcher, ms) };
}

export async function pass(clock: VirtualClock, dispatcher: WebhookDispatcher, ms: number): Promise<void> {
  const end = clock.now() + ms;
  for (;;) {
    await dispatcher.idle();
    const next = clock.waiting().next;
    if (next === undefined || next > end) break;
    await clock.advance(next - clock.now());
  }
  await clock.advance(end - clock.now());
}
