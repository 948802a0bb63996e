import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readEvent } from './read-event.js';

export interface Received {
  /** The endpoint's path, without the leading slash. */
  endpoint: string;
  eventId: string;
  body: string;
  at: number;
}

export interface DeliveryLog {
  url: string;
  received: Received[];
  /** The highest number of concurrent requests to one endpoint. */
  mostOpen(): number;
  /** The id of each event that was received. */
  events: ReadonlySet<string>;
  /** The number of repeated requests, not counting the first one for each event. */
  repeated(): number;
  close(): void;
}

/** Starts a webhook receiver that records what it receives and when. By default, it responds immediately. */
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
