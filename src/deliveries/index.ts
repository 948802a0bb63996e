export type { PostgresConnection } from './connection/connect-options.js';
export type { ListedEndpoint } from './endpoints.js';
export type { QueryClient } from './connection/query-client.js';
export {
  createPostgresDeliveryStore,
  type PostgresDeliveryStore,
  type PostgresDeliveryStoreOptions,
} from './postgres-store.js';
export { enqueueEvent, type QueuedEvent } from './enqueue.js';
export { grantsSql } from './schema/database-roles.js';
export { migratePostgres, printMigration, type DatabaseWithSchema } from './schema/migrate.js';
export type { ResendFilter, Resent } from './resend.js';
export type { Retention } from './retention.js';
export type { PostgresStatus } from './status.js';
export type { WorkerStatus } from './worker/worker.js';
