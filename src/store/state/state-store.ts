/** Small JSON documents by collection and id: installations, tokens, tasks, webhook endpoints, blocks. */
export interface StateStore {
  get<T>(collection: string, id: string): T | undefined;
  /** In the order in which the ids were first added. */
  list<T>(collection: string): { id: string; value: T }[];
  put(collection: string, id: string, value: unknown): void;
  delete(collection: string, id: string): void;
  /** Commits everything or nothing. The data is on disk when this returns. */
  transaction<T>(work: () => T): T;
}
