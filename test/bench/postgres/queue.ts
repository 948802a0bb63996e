/** One thing to send. */
export interface Item {
  endpoint: string;
  /** When it was about to be inserted. */
  at: number;
}

/** What is compared: this design and two job libraries, on the same server. */
export interface Queue {
  /** Makes the tables, and what each endpoint needs. */
  prepare(endpoints: readonly string[]): Promise<void>;
  insert(items: readonly Item[]): Promise<void>;
  /** Handles items until the returned function is called. */
  work(options: WorkOptions): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

export interface WorkOptions {
  endpoints: readonly string[];
  /** Items in hand at a time. */
  slots: number;
  handle(item: Item): Promise<void>;
}

export interface QueueOptions {
  url: string;
  /** A folder where the job libraries are installed. */
  packages: string;
  /** The items of one endpoint are handled apart from those of others, as far as the library can. */
  byEndpoint: boolean;
}

export const queueNames = ['integration-platform', 'graphile-worker', 'pg-boss'] as const;
export type QueueName = (typeof queueNames)[number];
