import type { IncomingMessage } from 'node:http';

/** Reads a webhook request. An interrupted one never calls `then`. */
export function readEvent(request: IncomingMessage, then: (eventId: string, body: string) => void): void {
  const pieces: Buffer[] = [];
  request.on('error', () => undefined);
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.on('end', () => {
    const body = Buffer.concat(pieces).toString('latin1');
    then((JSON.parse(body) as { eventId: string }).eventId, body);
  });
}
