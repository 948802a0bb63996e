import { once } from 'node:events';
import type { Item, Queue, QueueName, QueueOptions } from './queue.js';

/** The task of a process, which sends its figures as messages. */
export type Task =
  | { do: 'fill'; endpoints: string[]; count: number }
  | { do: 'enqueue'; endpoints: string[]; count: number }
  | { do: 'produce'; endpoints: string[]; perSecond: number; seconds: number }
  | {
      do: 'work';
      endpoints: string[];
      slots: number;
      handleMs: number;
      hanging: string[];
      ignored: string[];
      listCompleted?: boolean;
    };

export type Message =
  | { ready: true }
  | { seconds: number }
  | { times: number[] }
  | { handled: number; waits: number[]; completed: string[] };

const create: Record<QueueName, (options: QueueOptions) => Promise<Queue>> = {
  'integration-platform': async (options) => (await import('./our-queue.js')).createOurQueue(options),
  'graphile-worker': async (options) => (await import('./graphile-worker.js')).createGraphileQueue(options),
  'pg-boss': async (options) => (await import('./pg-boss.js')).createBossQueue(options),
};

const batch = 1000;
const tickMs = 10;
const hangMs = 10_000;
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const send = (message: Message): void => void process.send?.(message);

const [name = '', options = ''] = process.argv.slice(2);
// 20,000 ids would be too long for an argument.
const [task] = (await once(process, 'message')) as [Task];
const queue = await create[name as QueueName](JSON.parse(options) as QueueOptions);

if (task.do === 'fill') await fill(task);
else if (task.do === 'enqueue') await enqueue(task);
else if (task.do === 'produce') await produce(task);
else await work(task);
await queue.close();
process.disconnect?.();

async function fill({ endpoints, count }: Task & { do: 'fill' }): Promise<void> {
  await queue.prepare(endpoints);
  const began = performance.now();
  for (let done = 0; done < count; done += batch) {
    const at = Date.now();
    await queue.insert(
      Array.from({ length: batch }, (_, n): Item => ({
        endpoint: endpoints[(done + n) % endpoints.length] as string,
        at,
      })),
    );
  }
  send({ seconds: (performance.now() - began) / 1000 });
}

/** Queues items one after the other, and sends how many milliseconds each took. */
async function enqueue({ endpoints, count }: Task & { do: 'enqueue' }): Promise<void> {
  await queue.prepare(endpoints);
  const times: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const began = performance.now();
    await queue.enqueue({ endpoint: endpoints[n % endpoints.length] as string, at: Date.now() });
    times.push(performance.now() - began);
  }
  send({ times });
}

async function produce({ endpoints, perSecond, seconds }: Task & { do: 'produce' }): Promise<void> {
  const began = performance.now();
  for (let made = 0; made < perSecond * seconds;) {
    const due = Math.floor(((performance.now() - began) / 1000) * perSecond) - made;
    const at = Date.now();
    const items = Array.from({ length: due }, (_, n): Item => ({
      endpoint: endpoints[(made + n) % endpoints.length] as string,
      at,
    }));
    if (items.length > 0) await queue.insert(items);
    made += items.length;
    await sleep(tickMs);
  }
  send({ seconds: (performance.now() - began) / 1000 });
}

/** Runs until the parent stops it. */
async function work(task: Task & { do: 'work' }): Promise<void> {
  const { endpoints, slots, handleMs, hanging, ignored, listCompleted } = task;
  const hangs = new Set(hanging);
  const quiet = new Set(ignored);
  let handled = 0;
  let waits: number[] = [];
  let completed: string[] = [];
  const stop = await queue.work({
    endpoints,
    slots,
    async handle({ endpoint, at }) {
      if (!quiet.has(endpoint)) {
        handled += 1;
        waits.push(Date.now() - at);
      }
      if (hangs.has(endpoint)) await sleep(hangMs);
      else if (handleMs > 0) await sleep(handleMs);
      if (listCompleted) completed.push(`${at} ${endpoint}`);
    },
  });
  send({ ready: true });
  const report = (): void => {
    send({ handled, waits, completed });
    waits = [];
    completed = [];
  };
  const reports = setInterval(report, 50);
  await once(process, 'message');
  clearInterval(reports);
  report();
  await Promise.race([stop(), sleep(5000)]);
}
