import { createRequire } from 'node:module';
import type { Item, Queue, QueueOptions } from './queue.js';

interface Job {
  id: string;
  data: Item;
}

interface Boss {
  on(event: 'error', listener: () => void): void;
  start(): Promise<void>;
  stop(options: object): Promise<void>;
  createQueue(name: string): Promise<void>;
  insert(jobs: { name: string; data: Item }[]): Promise<void>;
  fetch(name: string, options: object): Promise<Job[]>;
  complete(name: string, ids: string[]): Promise<void>;
}

const queue = 'deliver';
/** The shortest polling interval that its own `work` allows. */
const pollMs = 500;

/** Uses one queue for all endpoints, because it polls each queue separately, which is slow for 1,000. */
export async function createBossQueue({ url, packages }: QueueOptions): Promise<Queue> {
  const PgBoss = createRequire(`${packages}/`)('pg-boss') as new (options: object) => Boss;
  const boss = new PgBoss({ connectionString: url, max: 10 });
  boss.on('error', () => {});
  await boss.start();
  return {
    prepare: () => boss.createQueue(queue),
    insert: (items) => boss.insert(items.map((item) => ({ name: queue, data: item }))),
    async work({ slots, handle }) {
      const stopping = new AbortController();
      const loop = async (batchSize: number): Promise<void> => {
        while (!stopping.signal.aborted) {
          const jobs = await boss.fetch(queue, { batchSize });
          await Promise.all(jobs.map(({ data }) => handle(data)));
          if (jobs.length > 0)
            await boss.complete(
              queue,
              jobs.map(({ id }) => id),
            );
          else await new Promise((resolve) => setTimeout(resolve, pollMs));
        }
      };
      // Uses several readers so that a slow batch does not block the others.
      const readers = 4;
      const loops = Array.from({ length: readers }, () => loop(Math.ceil(slots / readers)));
      return async () => {
        stopping.abort();
        await Promise.all(loops);
      };
    },
    close: () => boss.stop({ graceful: false, wait: true }),
  };
}
