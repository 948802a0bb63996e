/** A client or a pool of the package `pg`, or anything with the same `query`. */
export interface QueryClient {
  query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
}

/** Connections for everything except delivering. They may go through a pooler. */
export interface Queries extends QueryClient {
  /** Commits everything or nothing. */
  transaction<T>(work: (query: QueryClient['query']) => Promise<T>): Promise<T>;
  end(): Promise<void>;
}
