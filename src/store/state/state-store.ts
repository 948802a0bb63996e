/** Small JSON documents that are looked up by collection and id: installations, tokens, tasks, webhook endpoints and blocks. */
export interface StateStore {
  get<T>(collection: string, id: string): T | undefined;
  /** Returns documents in the order in which their ids were first added. */
  list<T>(collection: string): { id: string; value: T }[];
  put(collection: string, id: string, value: unknown): void;
  delete(collection: string, id: string): void;
  /** Commits everything or nothing. When this returns, the data is on disk. */
  transaction<T>(work: () => T): T;
}
