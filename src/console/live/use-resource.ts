import { errorMessage } from '../../base/text/error-message.js';
import { useCallback, useEffect, useMemo } from 'preact/hooks';
import { createCell, useCell, type Cell } from '../ui/state/observable-cell.js';
import { onLive, type LiveEvent } from './live-stream.js';
import { api } from '../api/fetch-api.js';
import type { CallRecord } from '../../contract/routes/calls.js';

export interface ResourceView<T> {
  data?: T;
  error?: string;
}

export interface Resource<T> {
  view: Cell<ResourceView<T>>;
  read(): void;
  /** Returns how long the last read took. */
  took(): number;
}

/** Combines changes within this time into a single read. */
const gatherMs = 40;
/** If changes keep arriving, reads slow resources less often, but at least once a second. */
const pauseAfter = (tookMs: number): number => Math.max(gatherMs, Math.min(1000, 10 * tookMs));

function createResource<T>(load: () => Promise<T>): Resource<T> {
  const view = createCell<ResourceView<T>>({});
  let running = false;
  let again = false;
  let took = 0;
  const read = (): void => {
    if (running) {
      again = true;
      return;
    }
    running = true;
    const began = performance.now();
    load()
      .then(
        (data) => view.set({ data }),
        (error: unknown) => view.set({ ...view.get(), error: errorMessage(error) }),
      )
      .finally(() => {
        running = false;
        took = performance.now() - began;
        if (again) {
          again = false;
          read();
        }
      });
  };
  return { view, read, took: () => took };
}

/** Returns data from the platform, and reloads it when the live stream reports a change. */
export function useResource<T>(
  key: string,
  load: () => Promise<T>,
  changedBy: (event: LiveEvent) => boolean,
): ResourceView<T> & { read: () => void } {
  const resource = useKept(key, load);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    resource.read();
    const stop = onLive((event) => {
      if (event.type !== 'reset' && !changedBy(event)) return;
      timer ??= setTimeout(() => {
        timer = undefined;
        resource.read();
      }, pauseAfter(resource.took()));
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [resource]);
  const read = useCallback(() => resource.read(), [resource]);
  return { ...useCell(resource.view), read };
}

const kept = new Map<string, Resource<unknown>>();

/** Caches earlier reads, so that a reopened view can show its data immediately. */
function useKept<T>(key: string, load: () => Promise<T>): Resource<T> {
  return useMemo(() => {
    const resource = (kept.get(key) as Resource<T> | undefined) ?? createResource(load);
    kept.set(key, resource);
    return resource;
  }, [key]);
}

/** Returns a complete call, and updates it while it runs and whenever it writes log lines. */
export const useCall = (id: string): ResourceView<CallRecord> =>
  useResource(
    `call ${id}`,
    () => api('GET /calls/{call}', { call: id }),
    (event) =>
      ((event.type === 'log' || event.type === 'outbound' || event.type === 'call-changed') &&
        event.call === id) ||
      (event.type === 'call-finished' && event.call.id === id),
  );
