import type { ClientBase } from 'pg';
import type { Duplex } from 'node:stream';

/**
 * Closes the connection immediately. `end` of the driver waits for the server, which may be gone without a
 * word.
 */
export function cutConnection(client: ClientBase): void {
  (client as unknown as { connection: { stream: Duplex } }).connection.stream.destroy();
}
