import type { Bytes } from './request-bytes.js';
import { envelopeError, envelopeLimits } from './envelope-limits.js';
import type { Environment } from '../environment.js';
import type { PlatformEvent } from '../events.js';
import { readMultipart } from './read-multipart.js';

export interface Envelope {
  event: PlatformEvent;
  environment: Environment;
  /** Absent if there was no body. If the body was empty, the length is 0. */
  body?: Bytes | undefined;
}

/** Reads an envelope. Throws an `ExposableError` if the request does not contain one. */
export const decodeEnvelope = async (request: Request, limits = envelopeLimits): Promise<Envelope> => {
  const parts = await readMultipart(request, limits);
  const objectIn = (field: string): Record<string, unknown> => {
    const bytes = parts.get(field);
    try {
      const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
      if (value && typeof value === 'object' && !Array.isArray(value))
        return value as Record<string, unknown>;
    } catch {}
    throw envelopeError(400, field, bytes ? 'is not a JSON object' : 'is missing');
  };
  const event = objectIn('event');
  if (typeof event.type !== 'string' || !event.type) throw envelopeError(400, 'event', 'has no type');
  return {
    event: event as unknown as PlatformEvent,
    environment: objectIn('environment') as unknown as Environment,
    body: parts.get('fetch-body'),
  };
};
