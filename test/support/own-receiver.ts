import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface OwnReceiver {
  url: string;
  secret: string;
  /** The requests that it accepted as genuine, in order. */
  accepted: Accepted[];
  refused(): number;
}

export interface Accepted {
  header: string;
  body: string;
  eventId: string;
  at: number;
}

/** Without any of these faults, the receiver verifies signatures correctly. */
export interface OwnReceiverOptions {
  /** May be set later, before the first request. */
  secret?: string;
  /** Fault: does not check signatures, or checks a signature only if there is one. */
  checks?: 'none' | 'present';
  /** Fault: verifies the signature against this instead of the raw body. */
  signs?: (body: Buffer) => string;
  /** Fault: rejects genuine requests. */
  refuses?: (request: Accepted, before: readonly Accepted[]) => number | undefined;
  /** The maximum age of a signature in seconds. A limit is not required. */
  tolerance?: number;
  /** The statuses for genuine requests, used in order and followed by 200. */
  statuses?: number[];
  now?: () => number;
}

/** Starts a receiver written only from the specification, without any of our code. */
export async function startOwnReceiver(options: OwnReceiverOptions): Promise<OwnReceiver> {
  const { secret = '', checks, signs, refuses, tolerance = Infinity, now = Date.now } = options;
  const statuses = [...(options.statuses ?? [])];
  const accepted: OwnReceiver['accepted'] = [];
  let refused = 0;

  const isGenuine = (header: string, body: Buffer): boolean => {
    if (checks === 'none' || (checks === 'present' && header === '')) return true;
    const pairs = header.split(',').map((part) => part.split('='));
    const t = pairs.find(([key]) => key === 't')?.[1];
    const given = pairs.filter(([key]) => key === 'v1').map(([, hex = '']) => Buffer.from(hex, 'hex'));
    if (t === undefined || given.length === 0) return false;
    if (now() / 1000 - Number(t) > tolerance) return false;
    const signed = signs ? signs(body) : body;
    const expected = createHmac('sha256', receiver.secret).update(`${t}.`).update(signed).digest();
    return given.some((one) => one.length === expected.length && timingSafeEqual(one, expected));
  };

  const server = createServer((message, response) => {
    void readAll(message).then((body) => {
      if (message.method !== 'POST') {
        response.writeHead(405, { Allow: 'POST' }).end('Method not allowed');
        return;
      }
      const header = String(message.headers['x-platform-signature'] ?? '');
      response.setHeader('Content-Type', 'application/json');
      if (!isGenuine(header, body)) {
        refused += 1;
        response.writeHead(401).end('{"error":"Invalid signature"}');
        return;
      }
      const { eventId } = JSON.parse(body.toString()) as { eventId: string };
      const request = { header, body: body.toString(), eventId, at: now() };
      const refusal = refuses?.(request, accepted);
      if (refusal !== undefined) {
        response.writeHead(refusal).end('{"error":"Not this one"}');
        return;
      }
      accepted.push(request);
      response.writeHead(statuses.shift() ?? 200).end('{"received":true}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const receiver: OwnReceiver = {
    url: `http://127.0.0.1:${port}/webhook`,
    secret,
    accepted,
    refused: () => refused,
  };
  return receiver;
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}
