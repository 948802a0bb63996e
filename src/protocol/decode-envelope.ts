import { blocksOf, joinBlocks, type Blocks, type Bytes } from './byte-blocks.js';
import { EnvelopeError } from './envelope-error.js';
import type { Environment } from './environment.js';
import type { PlatformEvent } from './events.js';
import { boundaryOf, malformed, readMultipart } from './multipart.js';

const mebibyte = 1024 * 1024;

/** The most bytes of each field. */
const envelopeLimits: ReadonlyMap<string, number> = new Map([
  ['event', mebibyte],
  ['environment', mebibyte],
  ['fetch-body', 100 * mebibyte],
]);

export interface Envelope<Body> {
  event: PlatformEvent;
  environment: Environment;
  /** Absent where there was none; of length 0 where it was empty. */
  body?: Body | undefined;
}

/** Reads an envelope whole. What it throws for a request that is none is an `EnvelopeError`. */
export async function decodeEnvelope(request: Request, limits = envelopeLimits): Promise<Envelope<Bytes>> {
  const { body, ...envelope } = await readEnvelope(request, limits);
  return { ...envelope, body: body && joinBlocks(body) };
}

/** The same, with the body in blocks: a body of 64 MiB is then held once, not twice. */
export async function readEnvelope(request: Request, limits = envelopeLimits): Promise<Envelope<Blocks>> {
  const boundary = boundaryOf(request);
  const parts = await readMultipart(blocksOf(request), boundary, limits).catch((error: unknown) => {
    throw error instanceof EnvelopeError ? error : malformed('it was cut short');
  });
  const event = parseObject('event', parts);
  if (typeof event.type !== 'string' || !event.type) throw new EnvelopeError(400, 'event', 'has no type');
  return {
    event: event as unknown as PlatformEvent,
    environment: parseObject('environment', parts) as unknown as Environment,
    body: parts.get('fetch-body'),
  };
}

function parseObject(field: string, parts: Map<string, Blocks>): Record<string, unknown> {
  const blocks = parts.get(field);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(joinBlocks(blocks ?? []));
    const value: unknown = JSON.parse(text);
    if (value && typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {}
  throw new EnvelopeError(400, field, blocks ? 'is not a JSON object' : 'is missing');
}
