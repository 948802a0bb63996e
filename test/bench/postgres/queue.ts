/** One item to send. */
export interface Item {
  endpoint: string;
  /** The time just before the insert. */
  at: number;
}

/** The compared queues: this design and two job libraries on the same server. */
export interface Queue {
  /** Creates the tables and the data for each endpoint. */
  prepare(endpoints: readonly string[]): Promise<void>;
  insert(items: readonly Item[]): Promise<unknown>;
  /** Queues one item as an application does it, in a transaction of its own. */
  enqueue(item: Item): Promise<unknown>;
  /** Handles items until the returned function is called. */
  work(options: WorkOptions): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

export interface WorkOptions {
  endpoints: readonly string[];
  /** The maximum number of items in progress. */
  slots: number;
  handle(item: Item): Promise<void>;
}

export interface QueueOptions {
  url: string;
  /** A folder where the job libraries are installed. */
  packages: string;
  /** Items for one endpoint are handled separately from others, as far as the library supports it. */
  byEndpoint: boolean;
  /** Notices dead workers as fast as the library allows. */
  quickTakeover: boolean;
}

export const queueNames = ['integration-platform', 'graphile-worker', 'pg-boss'] as const;
export type QueueName = (typeof queueNames)[number];
