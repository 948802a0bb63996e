import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readEvent } from './read-event.js';

export interface Received {
  /** The path of the endpoint, without its slash. */
  endpoint: string;
  eventId: string;
  body: string;
  at: number;
}

export interface DeliveryLog {
  url: string;
  received: Received[];
  /** Requests at the same time to one endpoint, at most. */
  mostOpen(): number;
  /** The events, each once. */
  events: ReadonlySet<string>;
  /** Events that were received more than once, counted without the first time. */
  repeated(): number;
  close(): void;
}

/** A receiver of webhooks that remembers what came when. It responds as it is told, by default at once. */
export async function startDeliveryLog(
  respond: (response: ServerResponse, received: Received) => void = (response) => void response.end('{}'),
): Promise<DeliveryLog> {
  const received: Received[] = [];
  const events = new Set<string>();
  const open = new Map<string, number>();
  let most = 0;
  const server = createServer((request, response) => {
    const endpoint = (request.url ?? '').slice(1);
    const count = (open.get(endpoint) ?? 0) + 1;
    open.set(endpoint, count);
    most = Math.max(most, count);
    response.once('close', () => open.set(endpoint, (open.get(endpoint) ?? 1) - 1));
    readEvent(request, (eventId, body) => {
      const one = { endpoint, eventId, body, at: Date.now() };
      received.push(one);
      events.add(eventId);
      respond(response, one);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    mostOpen: () => most,
    events,
    repeated: () => received.length - events.size,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
