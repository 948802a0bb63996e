import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createVirtualClock, type VirtualClock } from '../../src/protocol/clock.js';
import type { SiteViewEvent } from '../../src/protocol/events.js';
import { createMemoryStore } from '../../src/store/memory-store.js';
import {
  createWebhookDispatcher,
  type WebhookDispatcher,
  type WebhookDispatcherOptions,
} from '../../src/webhooks/dispatcher.js';
import type { Endpoint } from '../../src/webhooks/endpoint.js';
import type { NewEndpoint } from '../../src/webhooks/endpoint-registry.js';

export const start = 1_700_000_000_000;

export const siteView = (eventId: string, siteId = 'site'): SiteViewEvent => ({
  eventId,
  type: 'site_view',
  installationId: 'ins',
  siteId,
  visitor: { anonymousId: 'a', userAgent: 'Mozilla/5.0 ü', ip: '127.0.0.1', cookies: {} },
  url: 'https://docs.example.com/page',
  referrer: 'https://example.com/',
});

export const siteEndpoint = (more: Partial<NewEndpoint> = {}): NewEndpoint => ({
  installationId: 'ins',
  place: { type: 'site', id: 'site' },
  url: 'http://receiver.test/hook',
  events: ['site_view'],
  ...more,
});

export interface Sent {
  at: number;
  url: string;
  headers: Headers;
  body: string;
}

export type Answering = (sent: Sent, signal: AbortSignal) => Response | Promise<Response>;

export const hang = (signal: AbortSignal): Promise<Response> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));

export interface Bench {
  clock: VirtualClock;
  dispatcher: WebhookDispatcher;
  endpoint: Endpoint;
  sent: Sent[];
  /** Lets everything happen that is due within so many milliseconds, at its time. */
  pass(ms: number): Promise<void>;
}

/** A dispatcher on the virtual clock, with one endpoint and answers made up by the test. */
export async function createBench(
  answer: Answering,
  more: Partial<WebhookDispatcherOptions> & { endpoint?: Partial<NewEndpoint> } = {},
): Promise<Bench> {
  const clock = createVirtualClock(start);
  const sent: Sent[] = [];
  const fetch: WebhookDispatcherOptions['fetch'] = async (url, { headers, body, signal }) => {
    const request: Sent = {
      at: clock.now(),
      url,
      headers: new Headers(headers),
      body: new TextDecoder().decode(body),
    };
    sent.push(request);
    return answer(request, signal);
  };
  const dispatcher = await createWebhookDispatcher({
    store: createMemoryStore().deliveries,
    clock,
    random: Math.random,
    fetch,
    version: '1.2.3',
    ...more,
  });
  const endpoint = await dispatcher.endpoints.add(siteEndpoint(more.endpoint));
  return { clock, dispatcher, endpoint, sent, pass: (ms) => pass(clock, dispatcher, ms) };
}

export async function pass(clock: VirtualClock, dispatcher: WebhookDispatcher, ms: number): Promise<void> {
  const end = clock.now() + ms;
  for (;;) {
    await dispatcher.idle();
    const next = clock.waiting().next;
    if (next === undefined || next > end) break;
    await clock.advance(next - clock.now());
  }
  await clock.advance(end - clock.now());
}

export interface Received {
  at: number;
  eventId: string;
  body: Buffer;
  /** By the steps of §5.2 alone. */
  valid: boolean;
  header: string;
}

function isSigned(header: string | undefined, body: Buffer, secret: string): boolean {
  if (header === undefined) return false;
  const parts = header.split(',').map((part) => part.split('='));
  const t = parts.find(([key]) => key === 't')?.[1];
  const v1 = parts.filter(([key]) => key === 'v1').map(([, value]) => Buffer.from(value ?? '', 'hex'));
  if (t === undefined || v1.length === 0) return false;
  const expected = createHmac('sha256', secret).update(`${t}.`).update(body).digest();
  return v1.some((given) => given.length === expected.length && timingSafeEqual(given, expected));
}

export interface Receiver {
  url: string;
  received: Received[];
  /** Set it to the endpoint's before anything is sent. */
  secret: string;
  close(): Promise<void>;
}

async function read(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

/** A receiver that uses nothing of ours. Answers the statuses in turn, then 200. */
export async function startReceiver(statuses: number[] = []): Promise<Receiver> {
  const queue = [...statuses];
  const server: Server = createServer((request, response) => {
    void read(request).then((body) => {
      const header = request.headers['x-platform-signature'];
      const text = typeof header === 'string' ? header : '';
      receiver.received.push({
        at: Date.now(),
        eventId: (JSON.parse(body.toString()) as { eventId: string }).eventId,
        body,
        valid: isSigned(text, body, receiver.secret),
        header: text,
      });
      response.writeHead(queue.shift() ?? 200, { 'Content-Type': 'application/json' });
      response.end('{"received":true}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received: [],
    secret: '',
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return receiver;
}
