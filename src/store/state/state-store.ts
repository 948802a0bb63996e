/** Small JSON documents that are found by collection and id: installations, tokens, tasks, webhook endpoints, blocks. */
export interface StateStore {
  get<T>(collection: string, id: string): T | undefined;
  /** Returns documents in the order in which their ids were first added. */
  list<T>(collection: string): { id: string; value: T }[];
  put(collection: string, id: string, value: unknown): void;
  delete(collection: string, id: string): void;
  /** Commits either everything or nothing. The data is on disk when this returns. */
  transaction<T>(work: () => T): T;
}
