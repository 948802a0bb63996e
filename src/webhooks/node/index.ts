import { createWebhookDispatcher as createDispatcher, type WebhookDispatcher } from '../dispatcher.js';
import type { WebhookDispatcherOptions as DispatcherOptions } from '../dispatcher.js';
import { keepDelivering as keep, type KeptDelivery } from '../keep-delivering.js';
import type { KeepDeliveringOptions as KeepOptions } from '../keep-delivering.js';
import { createWebhookFetch } from './webhook-fetch.js';

// Exports code and defaults that are specific to Node. Bundles for workers and browsers use only `../index.ts`.
export * from '../index.js';
export { createWebhookFetch, type WebhookFetchOptions } from './webhook-fetch.js';
export type { LookUpHost } from './look-up-host.js';
export type { Targets } from '../send/target-address.js';

type OptionalFetch<Options extends DispatcherOptions> = Omit<Options, 'fetch'> & {
  /** Defaults to `createWebhookFetch()`, which sends only to public addresses. */
  fetch?: DispatcherOptions['fetch'];
};

/** Options for a dispatcher. `fetch` defaults to `createWebhookFetch()`. */
export type WebhookDispatcherOptions = OptionalFetch<DispatcherOptions>;
/** Options for a dispatcher, and a function that reopens the store after its connection was lost. */
export type KeepDeliveringOptions = OptionalFetch<KeepOptions>;

/**
 * Delivers events to webhook endpoints with signatures and retries, and stores their state.
 *
 * Continues deliveries that an earlier dispatcher on the same store left unfinished. Rejects with the code
 * `in-use` while another dispatcher is using the store.
 *
 * @example
 * ```ts
 * import {
 *   createMemoryDeliveryStore,
 *   createWebhookDispatcher,
 *   systemClock,
 * } from 'integration-platform/webhooks';
 *
 * const dispatcher = await createWebhookDispatcher({
 *   store: createMemoryDeliveryStore({ clock: systemClock }),
 *   clock: systemClock,
 *   random: Math.random,
 *   version: '1.0.0',
 * });
 * const endpoint = await dispatcher.endpoints.add({
 *   installationId: 'ins_1',
 *   target: { type: 'space', id: 'spc_1' },
 *   url: 'https://example.com/webhook',
 *   events: ['space_content_updated'],
 * });
 * await dispatcher.endpoints.ping(endpoint.id);
 * ```
 */
export const createWebhookDispatcher = (options: WebhookDispatcherOptions): Promise<WebhookDispatcher> =>
  createDispatcher({ fetch: createWebhookFetch(), ...options });

/**
 * Keeps delivering through temporary store outages, such as a database restart. A new dispatcher takes over
 * once the store is reachable again. Rejects if the first one cannot start.
 *
 * @example
 * ```ts
 * import { createMemoryDeliveryStore, keepDelivering, systemClock } from 'integration-platform/webhooks';
 *
 * const delivery = await keepDelivering({
 *   store: createMemoryDeliveryStore({ clock: systemClock }),
 *   clock: systemClock,
 *   random: Math.random,
 *   version: '1.0.0',
 * });
 * await delivery.close();
 * ```
 */
export const keepDelivering = (options: KeepDeliveringOptions): Promise<KeptDelivery> =>
  keep({ fetch: createWebhookFetch(), ...options });
