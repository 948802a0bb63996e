import type { ConsoleEvent, EmulatorEvent } from './emulator-event.js';

interface NumberedEvent {
  number: number;
  event: EmulatorEvent | ConsoleEvent;
}

/** What happens, told to listeners and kept for a while, so that a reader who was away can catch up. */
export interface EventFeed {
  emit(event: EmulatorEvent): void;
  /** For readers only. */
  emitToConsole(event: ConsoleEvent): void;
  subscribe(listener: (event: EmulatorEvent) => void): () => void;
  /** The number of the newest event. */
  last(): number;
  /** What came after `number`, oldest first; `undefined` where some of it is no longer known. */
  since(number: number): NumberedEvent[] | undefined;
  /** Resolves at the next event, or when the signal is aborted. */
  next(signal: AbortSignal): Promise<void>;
}

const kept = 4096;

export function createEventFeed(): EventFeed {
  const listeners = new Set<(event: EmulatorEvent) => void>();
  const waiting = new Set<() => void>();
  const ring: NumberedEvent['event'][] = [];
  let count = 0;

  const keep = (event: NumberedEvent['event']): void => {
    ring[count % kept] = event;
    count += 1;
    for (const wake of waiting) wake();
  };

  return {
    emit(event) {
      keep(event);
      for (const listener of listeners) listener(event);
    },
    emitToConsole: keep,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    last: () => count,
    since(number) {
      if (number > count || number < count - kept) return undefined;
      const events: NumberedEvent[] = [];
      for (let i = number; i < count; i += 1) {
        const event = ring[i % kept];
        if (event) events.push({ number: i + 1, event });
      }
      return events;
    },
    next: (signal) =>
      new Promise((resolve) => {
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
