import { systemClock } from '../base/clock.js';
import { withTimeout } from '../base/deadlines.js';
import { errorMessage } from '../base/text/error-message.js';
import {
  createWebhookDispatcher,
  type DeliveryChange,
  type WebhookDispatcher,
  type WebhookDispatcherOptions,
} from './dispatcher.js';

/** A change in the dispatcher, or in the availability of the store. */
export type KeptDeliveryChange =
  | DeliveryChange
  /** The store could not be reopened. Sent only once while the reason stays the same. */
  | { type: 'still-lost'; error: unknown }
  | { type: 'recovered' };

export interface KeepDeliveringOptions extends WebhookDispatcherOptions {
  onChange?(change: KeptDeliveryChange): void;
}

/** A dispatcher that restarts after its store was lost. */
export interface KeptDelivery {
  /** False from the loss of the store until the next successful start. */
  delivering(): boolean;
  /** Stops starting requests, like a dispatcher's `close`. */
  close(options?: { patienceMs?: number }): Promise<void>;
}

const firstPauseMs = 250;
const longestPauseMs = 1000;

/**
 * Keeps delivering even if the store is temporarily unavailable, for example during a database restart. A new
 * dispatcher takes over once the store is reachable again. Rejects if the first one cannot start.
 */
export async function keepDelivering(options: KeepDeliveringOptions): Promise<KeptDelivery> {
  const { clock, timers = systemClock, onChange } = options;
  const closing = new AbortController();
  let restarting: Promise<void> | undefined;
  let current: WebhookDispatcher | undefined;

  const start = async (): Promise<void> => {
    const dispatcher = await createWebhookDispatcher(options);
    if (closing.signal.aborted) return dispatcher.close();
    current = dispatcher;
    dispatcher.subscribe((change) => {
      if (change.type === 'lost' && !closing.signal.aborted) {
        current = undefined;
        restarting = restart(dispatcher);
      }
      onChange?.(change);
    });
  };

  const restart = async (lost: WebhookDispatcher): Promise<void> => {
    await lost.close().catch(() => undefined);
    let reported: string | undefined;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      await clock.sleep(pauseMs, closing.signal).catch(() => undefined);
      if (closing.signal.aborted) return;
      try {
        await start();
        return onChange?.({ type: 'recovered' });
      } catch (error) {
        if (errorMessage(error) === reported) continue;
        reported = errorMessage(error);
        onChange?.({ type: 'still-lost', error });
      }
    }
  };

  await start();
  return {
    delivering: () => current !== undefined,
    async close(how) {
      closing.abort('closed');
      // A canceled start that is still waiting for a lost store closes everything that it has opened so far.
      if (restarting) await withTimeout(timers, longestPauseMs, restarting, undefined);
      await current?.close(how);
    },
  };
}
