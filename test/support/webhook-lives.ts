import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startKillable, type Killable } from './killable.js';
import type { SenderTask } from './webhook-sender.js';
import { readEvent } from './read-event.js';

/** Starts a process that sends webhooks. */
export const startLife = (task: SenderTask): Promise<Killable> =>
  startKillable('webhook-sender.ts', JSON.stringify(task));

export interface Hook {
  url: string;
  /** The received bodies by event id. */
  received: Map<string, string[]>;
  count(): number;
  onRequest: (eventId: string, response: ServerResponse) => void;
  close(): void;
}

export const answerOk = (response: ServerResponse): void => {
  response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"received":true}');
};

export async function startHook(): Promise<Hook> {
  let count = 0;
  const server = createServer((request, response) => {
    readEvent(request, (eventId, body) => {
      count += 1;
      hook.received.set(eventId, [...(hook.received.get(eventId) ?? []), body]);
      hook.onRequest(eventId, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const hook: Hook = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    received: new Map(),
    count: () => count,
    onRequest: (_, response) => answerOk(response),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
  return hook;
}
