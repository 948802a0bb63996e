import { useEffect, useState } from 'preact/hooks';
import { createListeners } from '../../../base/listeners.js';

export interface Cell<T> {
  get(): T;
  set(value: T): void;
  subscribe(listener: () => void): () => void;
}

export function createCell<T>(first: T): Cell<T> {
  const listeners = createListeners();
  let value = first;
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      listeners.emit();
    },
    subscribe: listeners.subscribe,
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
