import type { ClientBase } from 'pg';
import type { Duplex } from 'node:stream';

const streamOf = (client: ClientBase): Duplex =>
  (client as unknown as { connection: { stream: Duplex } }).connection.stream;

/** Closes the connection immediately. The driver's own `end` waits for the server, which may be unreachable. */
export const cutConnection = (client: ClientBase): void => void streamOf(client).destroy();

export const isCut = (client: ClientBase): boolean => streamOf(client).destroyed;
