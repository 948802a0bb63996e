import { createListeners } from '../../base/listeners.js';
import type { ConsoleEvent, EmulatorEvent } from './emulator-event.js';

interface NumberedEvent {
  number: number;
  event: EmulatorEvent | ConsoleEvent;
}

export type EventFeed = ReturnType<typeof createEventFeed>;

const kept = 4096;

/** Passes events to listeners, and stores them for a while so that reconnecting clients can catch up. */
export function createEventFeed() {
  const listeners = createListeners<EmulatorEvent>();
  const waiting = new Set<() => void>();
  const ring: NumberedEvent['event'][] = [];
  let count = 0;

  const keep = (event: NumberedEvent['event']): void => {
    ring[count % kept] = event;
    count += 1;
    for (const wake of waiting) wake();
  };

  return {
    emit(event: EmulatorEvent) {
      keep(event);
      listeners.emit(event);
    },
    /** Stores an event for readers of the feed, without calling the listeners. */
    emitToConsole: (event: ConsoleEvent): void => keep(event),
    subscribe: listeners.subscribe,
    /** The number of the most recent event. */
    last: () => count,
    /** Returns the events after `number`, oldest first. Returns undefined if some of them are no longer stored. */
    since(number: number) {
      if (number > count || number < count - kept) return undefined;
      const events: NumberedEvent[] = [];
      for (let i = number; i < count; i += 1) {
        const event = ring[i % kept];
        if (event) events.push({ number: i + 1, event });
      }
      return events;
    },
    /** Resolves when the next event is sent or the signal is aborted. */
    next: (signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        if (signal.aborted) return resolve();
        const wake = (): void => {
          waiting.delete(wake);
          signal.removeEventListener('abort', wake);
          resolve();
        };
        waiting.add(wake);
        signal.addEventListener('abort', wake, { once: true });
      }),
  };
}
