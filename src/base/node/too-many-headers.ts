import type { IncomingMessage } from 'node:http';

const most = 200;

/**
 * Node reads up to 1,000 headers and silently drops the rest. A client could exploit this to make Node drop the
 * headers that determine what the request may do or where its body ends. No real client sends more than a few dozen.
 */
export const tooManyHeaders = ({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): string | undefined =>
  rawHeaders.length > most * 2 ? `A request may have at most ${most} headers.` : undefined;
