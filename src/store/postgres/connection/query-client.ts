/** A client or a pool of the package `pg`, or anything that queries as they do. */
export interface QueryClient {
  query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
}

/** Connections for everything but delivering: they may lead through a pooler. */
export interface Queries extends QueryClient {
  /** All of it or nothing. */
  transaction<T>(work: (query: QueryClient['query']) => Promise<T>): Promise<T>;
  end(): Promise<void>;
}
