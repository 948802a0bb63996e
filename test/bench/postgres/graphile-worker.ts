import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { Item, Queue, QueueOptions } from './queue.js';

interface Utils {
  migrate(): Promise<void>;
  addJob(identifier: string, payload: Item, options: { queueName?: string }): Promise<unknown>;
  addJobs(jobs: { identifier: string; payload: Item; queueName?: string }[]): Promise<unknown>;
  release(): Promise<void>;
}

interface GraphileWorker {
  Logger: new (factory: () => () => void) => object;
  makeWorkerUtils(options: object): Promise<Utils>;
  run(options: object): Promise<{ stop(): Promise<void> }>;
}

/** Uses its local queue and batched completions, which make it ten times faster. Serial per endpoint. */
export async function createGraphileQueue({ url, packages, byEndpoint }: QueueOptions): Promise<Queue> {
  const entry = createRequire(`${packages}/`).resolve('graphile-worker');
  const { Logger, makeWorkerUtils, run } = (await import(pathToFileURL(entry).href)) as GraphileWorker;
  const logger = new Logger(() => () => {});
  const utils = await makeWorkerUtils({ connectionString: url, logger });
  const queueOf = ({ endpoint }: Item) => byEndpoint && { queueName: endpoint };
  return {
    prepare: () => utils.migrate(),
    insert: (items) =>
      utils.addJobs(items.map((item) => ({ identifier: 'deliver', payload: item, ...queueOf(item) }))),
    enqueue: (item) => utils.addJob('deliver', item, { ...queueOf(item) }),
    async work({ slots, handle }) {
      const runner = await run({
        connectionString: url,
        logger,
        concurrency: slots,
        noHandleSignals: true,
        pollInterval: 100,
        taskList: { deliver: handle },
        preset: {
          worker: { localQueue: { size: 2 * slots }, completeJobBatchDelay: 5, failJobBatchDelay: 5 },
        },
      });
      return () => runner.stop();
    },
    close: () => utils.release(),
  };
}
