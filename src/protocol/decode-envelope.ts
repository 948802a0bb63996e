import { blocksOf, joinBlocks } from './byte-blocks.js';
import { EnvelopeError } from './envelope-error.js';
import type { Environment } from './environment.js';
import type { PlatformEvent } from './events.js';
import { boundaryOf, readMultipart } from './multipart.js';

const mebibyte = 1024 * 1024;
const envelopeLimits = { event: mebibyte, environment: mebibyte, 'fetch-body': 100 * mebibyte };

/** The most bytes of each field. */
export type EnvelopeLimits = typeof envelopeLimits;

type Blocks = Uint8Array<ArrayBuffer>[];

export interface Envelope<Body> {
  event: PlatformEvent;
  environment: Environment;
  /** Absent where there was none; of length 0 where it was empty. */
  body?: Body;
}

/** Reads an envelope whole. What it throws for a request that is none is an `EnvelopeError`. */
export async function decodeEnvelope(
  request: Request,
  limits: Partial<EnvelopeLimits> = {},
): Promise<Envelope<Uint8Array<ArrayBuffer>>> {
  const { body, ...envelope } = await readEnvelope(request, limits);
  return { ...envelope, ...(body && { body: joinBlocks(body) }) };
}

/** The same, with the body in blocks: a body of 64 MiB is then held once, not twice. */
export async function readEnvelope(
  request: Request,
  limits: Partial<EnvelopeLimits> = {},
): Promise<Envelope<Blocks>> {
  const parts = await readParts(request, { ...envelopeLimits, ...limits });
  const event = parseObject('event', parts);
  if (typeof event.type !== 'string' || !event.type) throw new EnvelopeError(400, 'event', 'has no type');
  const body = parts.get('fetch-body');
  return {
    event: event as unknown as PlatformEvent,
    environment: parseObject('environment', parts) as unknown as Environment,
    ...(body && { body }),
  };
}

async function readParts(request: Request, limits: EnvelopeLimits): Promise<Map<string, Blocks>> {
  const type = 'content-type';
  const boundary = boundaryOf(request.headers.get(type));
  if (!boundary) throw new EnvelopeError(400, type, 'is not multipart/form-data with a boundary');
  const known = new Map(Object.entries(limits));
  const parts = new Map<string, Blocks>();
  try {
    await readMultipart(blocksOf(request), boundary, (name) => {
      if (parts.has(name)) throw new EnvelopeError(400, name, 'is there twice');
      const limit = known.get(name);
      if (limit === undefined) return () => {};
      const blocks: Blocks = [];
      let length = 0;
      parts.set(name, blocks);
      return (bytes) => {
        blocks.push(bytes);
        length += bytes.length;
        if (length > limit) throw new EnvelopeError(413, name, `exceeds ${limit} bytes`);
      };
    });
  } catch (error) {
    if (error instanceof EnvelopeError) throw error;
    throw new EnvelopeError(400, 'body', 'is no whole multipart body: it was cut short');
  }
  return parts;
}

function parseObject(field: string, parts: Map<string, Blocks>): Record<string, unknown> {
  const blocks = parts.get(field);
  if (!blocks) throw new EnvelopeError(400, field, 'is missing');
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(joinBlocks(blocks));
    const value: unknown = JSON.parse(text);
    if (value && typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {}
  throw new EnvelopeError(400, field, 'is not a JSON object');
}
