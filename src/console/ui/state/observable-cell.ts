import { useEffect, useState } from 'preact/hooks';

/** A value that notifies its readers of changes. */
export interface Cell<T> {
  get(): T;
  set(value: T): void;
  subscribe(listener: () => void): () => void;
}

export function createCell<T>(first: T): Cell<T> {
  const listeners = new Set<() => void>();
  let value = first;
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export function useCell<T>(cell: Cell<T>): T {
  const [, redraw] = useState({});
  useEffect(() => {
    redraw({});
    return cell.subscribe(() => redraw({}));
  }, [cell]);
  return cell.get();
}
