export interface Listeners<Event> {
  emit(event: Event): void;
  /** Returns a function that removes the listener. */
  subscribe(listener: (event: Event) => void): () => void;
}

/** If a listener throws, the error does not reach the emitter and the other listeners are still called. */
export function createListeners<Event = void>(): Listeners<Event> {
  const listeners = new Set<(event: Event) => void>();
  return {
    emit(event) {
      for (const listener of listeners) {
        try {
          listener(event);
        } catch (error) {
          // Rethrow the error in a microtask, where the host treats it as a bug.
          queueMicrotask(() => {
            throw error;
          });
        }
      }
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
