import { sqlStateOf } from '../connection/explain-error.js';

export interface Batches<Item, Result> {
  add(item: Item): Promise<Result>;
  /** The number of items that are waiting to be written or being written. */
  waiting(): number;
}

interface Member<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** Whether the error was caused by the data rather than the server. */
const isDataError = (error: unknown): boolean => /^2[23]/.test(sqlStateOf(error));

/** Runs items in batches. Items that arrive while a batch is running form the next batch. */
export function createBatches<Item, Result>(options: {
  run(items: Item[]): Promise<Result[]>;
  /** The maximum weight of a batch. A single item may exceed it. */
  most: number;
  weigh(item: Item): number;
}): Batches<Item, Result> {
  const { run, most, weigh } = options;
  const members: Member<Item, Result>[] = [];
  let waiting = 0;
  let running = false;

  const next = (): Member<Item, Result>[] => {
    let count = 0;
    for (let weight = 0; count < members.length; count += 1) {
      weight += weigh((members[count] as Member<Item, Result>).item);
      if (count > 0 && weight > most) break;
    }
    return members.splice(0, count);
  };

  const runBatch = async (batch: Member<Item, Result>[]): Promise<void> => {
    try {
      const results = await run(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, at) => resolve(results[at] as Result));
    } catch (error) {
      if (batch.length > 1 && isDataError(error)) {
        // A single bad item makes the whole batch fail, so the items are run one by one.
        for (const member of batch) await runBatch([member]);
        return;
      }
      // The waiting items would fail as well, but only after another timeout.
      const failed = isDataError(error) ? batch : [...batch, ...members.splice(0)];
      waiting -= failed.length - batch.length;
      for (const { reject } of failed) reject(error);
    }
  };

  const runAll = async (): Promise<void> => {
    while (members.length > 0) {
      const batch = next();
      await runBatch(batch);
      waiting -= batch.length;
    }
    running = false;
  };

  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        members.push({ item, resolve, reject });
        waiting += 1;
        if (running) return;
        running = true;
        setImmediate(() => void runAll());
      }),
    waiting: () => waiting,
  };
}
