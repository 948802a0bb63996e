import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { Item, Queue, QueueOptions } from './queue.js';

interface Job {
  data: Item;
}

interface NewJob {
  data: Item;
  group?: { id: string };
}

interface Boss {
  on(event: 'error', listener: () => void): void;
  start(): Promise<unknown>;
  stop(options: object): Promise<void>;
  createQueue(name: string, options: object): Promise<void>;
  send(name: string, data: Item, options: object): Promise<unknown>;
  insert(name: string, jobs: NewJob[]): Promise<unknown>;
  work(name: string, options: object, handle: (jobs: Job[]) => Promise<void>): Promise<unknown>;
  offWork(name: string): Promise<void>;
}

const queue = 'deliver';

/** Uses one queue for all endpoints, because it polls each queue separately, which is slow for 1,000. */
export async function createBossQueue({
  url,
  packages,
  byEndpoint,
  quickTakeover,
}: QueueOptions): Promise<Queue> {
  const entry = createRequire(`${packages}/`).resolve('pg-boss');
  const { PgBoss } = (await import(pathToFileURL(entry).href)) as { PgBoss: new (options: object) => Boss };
  const boss = new PgBoss({
    connectionString: url,
    max: 10,
    useListenNotify: true,
    // The shortest intervals that it allows.
    ...(quickTakeover && { superviseIntervalSeconds: 1, monitorIntervalSeconds: 1 }),
  });
  boss.on('error', () => {});
  await boss.start();
  const groupOf = ({ endpoint }: Item) => byEndpoint && { group: { id: endpoint } };
  return {
    prepare: () => boss.createQueue(queue, { notify: true, ...(quickTakeover && { heartbeatSeconds: 10 }) }),
    insert: (items) =>
      boss.insert(
        queue,
        items.map((item) => ({ data: item, ...groupOf(item) })),
      ),
    enqueue: (item) => boss.send(queue, item, { ...groupOf(item) }),
    async work({ slots, handle }) {
      // Uses several readers so that a slow batch does not block the others.
      const readers = 4;
      await boss.work(
        queue,
        {
          localConcurrency: readers,
          batchSize: Math.ceil(slots / readers),
          pollingIntervalSeconds: 0.5,
          notifyPollingIntervalSeconds: 0.5,
          burstWhenBatchFull: true,
          ...(byEndpoint && { groupConcurrency: 4 }),
        },
        async (jobs) => void (await Promise.all(jobs.map(({ data }) => handle(data)))),
      );
      return () => boss.offWork(queue);
    },
    close: () => boss.stop({ graceful: false, close: true }),
  };
}
