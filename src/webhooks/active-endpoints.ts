import type { Clock } from '../base/clock.js';
import { createEndpointRegistry, type EndpointChanges, type NewEndpoint } from './endpoint-registry.js';
import type { Endpoint } from './model/endpoint.js';
import type { DeliveryScheduler } from './queue/delivery-scheduler.js';
import type { DeliveryStore, EndpointChange } from './model/delivery-store.js';

/** Makes the scheduler send only to enabled endpoints whose installation is not paused. */
export async function createActiveEndpoints(
  store: DeliveryStore,
  clock: Clock,
  scheduler: Pick<DeliveryScheduler, 'open' | 'close'>,
) {
  const { note, forget, ...endpoints } = createEndpointRegistry(store, clock, await store.endpoints());
  const paused = new Set(await store.pausedInstallations());
  const removed = new Map<string, Endpoint>();
  const removals = new Map<string, Promise<void>>();

  const openOrClose = ({ id, enabled, installationId }: Endpoint): void => {
    // Its installation may be resumed while it is being removed.
    if (enabled && !paused.has(installationId) && !removed.has(id)) scheduler.open(id);
    else scheduler.close(id);
  };

  const notePaused = (installationId: string, isPaused: boolean): void => {
    if (paused.has(installationId) === isPaused) return;
    if (isPaused) paused.add(installationId);
    else paused.delete(installationId);
    endpoints.ofInstallation(installationId).forEach(openOrClose);
  };

  const remove = async (id: string): Promise<void> => {
    // If removing the endpoint a second time fails, the first removal must not be undone.
    if (removed.has(id)) return endpoints.remove(id);
    removed.set(id, endpoints.get(id));
    scheduler.close(id);
    const removal = endpoints.remove(id);
    removals.set(id, removal);
    try {
      await removal;
    } catch (error) {
      removed.delete(id);
      openOrClose(endpoints.get(id));
      throw error;
    } finally {
      removals.delete(id);
    }
  };

  const opening = async (change: Promise<Endpoint>): Promise<Endpoint> => {
    const endpoint = await change;
    openOrClose(endpoint);
    return endpoint;
  };

  return {
    endpoints: {
      ...endpoints,
      add: (endpoint: NewEndpoint) => opening(endpoints.add(endpoint)),
      update: (id: string, changes: EndpointChanges) => opening(endpoints.update(id, changes)),
      remove,
    },
    /** Also finds removed endpoints, because deliveries to them may still be in flight. */
    find(id: string) {
      const gone = removed.get(id);
      return { endpoint: gone ?? endpoints.get(id), removed: gone !== undefined };
    },
    /** Waits for a removal in progress, because the endpoint is kept if it fails. */
    async isRemoved(id: string) {
      await removals.get(id)?.catch(() => {});
      return removed.has(id);
    },
    async setPaused(installationId: string, isPaused: boolean) {
      await store.setPaused(installationId, isPaused);
      notePaused(installationId, isPaused);
    },
    /** Applies a change made by another process. */
    follow(change: EndpointChange) {
      if (change.type === 'paused') return notePaused(change.installationId, change.paused);
      if (change.type === 'endpoint' || change.type === 'disabled') {
        removed.delete(change.endpoint.id);
        note(change.endpoint);
        return openOrClose(change.endpoint);
      }
      const { endpointId } = change;
      const endpoint = forget(endpointId);
      if (endpoint) removed.set(endpointId, endpoint);
      scheduler.close(endpointId);
    },
    /** Opens the stored endpoints, so that events can be sent to them. */
    open: () => endpoints.list().forEach(openOrClose),
  };
}
