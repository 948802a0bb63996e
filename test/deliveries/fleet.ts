import { onTestFinished } from 'vitest';
import type { ServerResponse } from 'node:http';
import type { PostgresDeliveryStore } from '../../src/deliveries/index.js';
import { startDeliveryLog, type DeliveryLog, type Received } from '../support/delivery-log.js';
import { startWorkerProcess, stopWorkers, type WorkerProcess } from '../support/worker-process.js';
import { openPostgres } from './postgres-under-test.js';

export interface Fleet {
  store: PostgresDeliveryStore;
  databaseUrl: string;
  schema: string;
  log: DeliveryLog;
  endpoints: string[];
  workers: WorkerProcess[];
  start(name: string, options?: { args?: string[]; url?: string }): WorkerProcess;
  /** Starts several workers and waits until they share all lanes. */
  startAll(names: readonly string[], args?: string[]): Promise<void>;
  queue(count: number, options?: { bytes?: number; endpoints?: readonly string[] }): Promise<string[]>;
  delivered(ids: readonly string[], longestMs: number): Promise<void>;
}

const mostPerInsert = 500;
/** Larger batches could exceed the 5 s time limit on a slow server. */
const mostBytesPerInsert = 10_000_000;

/** Starts endpoints of one receiver in a separate schema, and real worker processes. */
export async function createFleet(
  endpointCount: number,
  respond?: (response: ServerResponse, received: Received) => void,
  serverUrl?: string,
): Promise<Fleet> {
  const { store, schema, url } = await openPostgres({}, serverUrl);
  const log = await startDeliveryLog(respond);
  const workers: WorkerProcess[] = [];
  let made = 0;
  onTestFinished(async () => {
    await stopWorkers(workers);
    log.close();
  });
  const endpoints = Array.from({ length: endpointCount }, (_, n) => `whe_${n}`);
  for (const id of endpoints) await store.putEndpoint(endpointOf(id, `${log.url}/${id}`));

  const start: Fleet['start'] = (name, { args = [], url: way = url } = {}) => {
    const worker = startWorkerProcess({ url: way, schema, name }, args);
    workers.push(worker);
    return worker;
  };

  return {
    store,
    databaseUrl: url,
    schema,
    log,
    endpoints,
    workers,
    start,
    async startAll(names, args = []) {
      await Promise.all(names.map((name) => start(name, { args }).event('ready')));
      await until(30_000, 'lanes shared', async () => {
        const { workers, freeLanes } = await store.status();
        const most = Math.ceil(256 / names.length);
        return (
          workers.length === names.length && freeLanes === 0 && workers.every(({ lanes }) => lanes <= most)
        );
      });
    },
    async queue(count, { bytes = 20, endpoints: to = endpoints } = {}) {
      const ids: string[] = [];
      const batch = Math.ceil(Math.min(mostPerInsert, mostBytesPerInsert / bytes));
      for (let left = count; left > 0; left -= batch) {
        const deliveries = Array.from({ length: Math.min(batch, left) }, () => {
          const eventId = `evt_${made}`;
          const endpointId = to[made++ % to.length] as string;
          ids.push(eventId);
          const body = new TextEncoder().encode(JSON.stringify({ eventId, filling: 'x'.repeat(bytes) }));
          return {
            endpointId,
            installationId: 'ins_1',
            eventId,
            eventType: 'site_view',
            body,
            createdAt: Date.now(),
          };
        });
        await store.insert(deliveries);
      }
      return ids;
    },
    async delivered(ids, longestMs) {
      let next = 0;
      await until(longestMs, `${ids.length} deliveries`, async () => {
        while (next < ids.length && log.events.has(ids[next] as string)) next += 1;
        return next === ids.length;
      });
    },
  };
}

export const endpointOf = (id: string, url: string) => ({
  id,
  installationId: 'ins_1',
  target: { type: 'site' as const, id: 'site_1' },
  url,
  events: ['site_view'],
  enabled: true,
  secret: 'whsec_1',
  createdAt: Date.now(),
});

export async function until(
  longestMs: number,
  what: string,
  condition: () => Promise<boolean>,
): Promise<void> {
  const end = performance.now() + longestMs;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`Not within ${longestMs} ms: ${what}.`);
    await pause(20);
  }
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
