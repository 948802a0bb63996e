import { createByteBlocks, joinBlocks, type ByteBlocks } from './byte-blocks.js';
import type { Environment } from './environment.js';
import type { PlatformEvent } from './events.js';
import { boundaryOf, MultipartError, readMultipart } from './multipart.js';

export interface EnvelopeLimits {
  event: number;
  environment: number;
  body: number;
}

const mebibyte = 1024 * 1024;
const envelopeLimits: EnvelopeLimits = {
  event: mebibyte,
  environment: mebibyte,
  body: 100 * mebibyte,
};

/** Why a request is no envelope; `field` names the part of it that is wrong. */
export class EnvelopeError extends Error {
  declare readonly status: 400 | 413;
  declare readonly field: string;
  constructor(status: 400 | 413, field: string, why: string) {
    super(`The field "${field}" ${why}.`);
    Object.assign(this, { status, field });
  }
}

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
): Promise<Envelope<Uint8Array<ArrayBuffer>[]>> {
  const parts = await readParts(request, { ...envelopeLimits, ...limits });
  const body = parts.get('fetch-body')?.take();
  const event = parseObject('event', parts);
  if (typeof event.type !== 'string' || !event.type) throw new EnvelopeError(400, 'event', 'has no type');
  return {
    event: event as unknown as PlatformEvent,
    environment: parseObject('environment', parts) as unknown as Environment,
    ...(body && { body }),
  };
}

async function readParts(
  request: Request,
  { event, environment, body }: EnvelopeLimits,
): Promise<Map<string, ByteBlocks>> {
  const type = 'content-type';
  const boundary = boundaryOf(request.headers.get(type));
  if (!boundary || !request.body)
    throw new EnvelopeError(400, type, 'is not multipart/form-data with a boundary');
  const limits = new Map(Object.entries({ event, environment, 'fetch-body': body }));
  const parts = new Map<string, ByteBlocks>();
  try {
    await readMultipart(request.body, boundary, (name) => {
      if (parts.has(name)) throw new EnvelopeError(400, name, 'is there twice');
      const limit = limits.get(name);
      if (limit === undefined) return () => {};
      const blocks = createByteBlocks();
      parts.set(name, blocks);
      return (bytes) => {
        blocks.write(bytes);
        if (blocks.length > limit) throw new EnvelopeError(413, name, `exceeds ${limit} bytes`);
      };
    });
  } catch (error) {
    if (error instanceof EnvelopeError) throw error;
    const why = error instanceof MultipartError ? error.message : 'it was cut short';
    throw new EnvelopeError(400, 'body', `is no whole multipart body: ${why}`);
  }
  return parts;
}

function parseObject(field: string, parts: Map<string, ByteBlocks>): Record<string, unknown> {
  const blocks = parts.get(field)?.take();
  if (!blocks) throw new EnvelopeError(400, field, 'is missing');
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(joinBlocks(blocks));
    const value: unknown = JSON.parse(text);
    if (value && typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {}
  throw new EnvelopeError(400, field, 'is not a JSON object');
}
