/** A client or pool from the `pg` package, or any object with the same `query` method. */
export interface QueryClient {
  query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
}

export interface Transactions extends QueryClient {
  /** Commits everything or nothing. */
  transaction<T>(work: (query: QueryClient['query']) => Promise<T>): Promise<T>;
}

/** Connections for everything except the workers. They may go through a pooler. */
export interface Queries extends Transactions {
  /** For reading whole tables and for schema changes, which may take minutes. */
  patient: Transactions;
  /** Closes idle connections, because the server may be gone without having closed them. */
  discardIdle(): void;
  end(): Promise<void>;
}
