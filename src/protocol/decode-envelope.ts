import { createByteBlocks, joinBlocks, type ByteBlocks } from './byte-blocks.js';
import type { Environment } from './environment.js';
import type { PlatformEvent } from './events.js';
import { boundaryOf, MultipartError, readMultipart, type PartSink } from './multipart.js';

export interface EnvelopeLimits {
  event: number;
  environment: number;
  body: number;
}

const mebibyte = 1024 * 1024;
export const envelopeLimits: EnvelopeLimits = {
  event: mebibyte,
  environment: mebibyte,
  body: 100 * mebibyte,
};

/** Why a request is no envelope; `field` names the part of it that is wrong. */
export class EnvelopeError extends Error {
  override readonly name = 'EnvelopeError';
  readonly status: 400 | 413;
  readonly field: string;
  constructor(status: 400 | 413, field: string, message: string) {
    super(message);
    this.status = status;
    this.field = field;
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
  const boundary = boundaryOf(request.headers.get('content-type'));
  if (boundary === undefined || !request.body) {
    throw new EnvelopeError(400, 'content-type', 'The request is not multipart/form-data with a boundary.');
  }
  const { event, environment, body } = { ...envelopeLimits, ...limits };
  const fields = { event, environment, 'fetch-body': body };
  const parts = await readFields(request.body, boundary, fields);
  return {
    event: parseEvent(parts.get('event')),
    environment: parseObject('environment', parts.get('environment')) as unknown as Environment,
    ...withBody(parts.get('fetch-body')),
  };
}

const withBody = (bytes: ByteBlocks | undefined): { body?: Uint8Array<ArrayBuffer>[] } =>
  bytes ? { body: bytes.take() } : {};

async function readFields(
  stream: ReadableStream<Uint8Array>,
  boundary: string,
  limits: Record<string, number>,
): Promise<Map<string, ByteBlocks>> {
  const parts = new Map<string, ByteBlocks>();
  let others = 0;
  const ignore: PartSink = (bytes) => {
    others += bytes.length;
    if (others > mebibyte) throw new EnvelopeError(413, 'other fields', 'The other fields exceed 1 MiB.');
  };
  try {
    await readMultipart(stream, boundary, ({ name }) => {
      const limit = Object.hasOwn(limits, name) ? limits[name] : undefined;
      if (limit === undefined) return ignore;
      if (parts.has(name)) throw new EnvelopeError(400, name, `The field "${name}" is there twice.`);
      const blocks = createByteBlocks();
      parts.set(name, blocks);
      return (bytes) => {
        if (blocks.length + bytes.length > limit) {
          throw new EnvelopeError(413, name, `The field "${name}" exceeds its limit of ${limit} bytes.`);
        }
        blocks.write(bytes);
      };
    });
  } catch (error) {
    if (error instanceof EnvelopeError) throw error;
    const why = error instanceof MultipartError ? error.message : 'The body was cut short.';
    throw new EnvelopeError(400, 'body', `The body is not a whole multipart body. ${why}`);
  }
  return parts;
}

function parseEvent(bytes: ByteBlocks | undefined): PlatformEvent {
  const event = parseObject('event', bytes);
  if (typeof event.type !== 'string' || event.type === '') {
    throw new EnvelopeError(400, 'event', 'The field "event" has no type.');
  }
  return event as unknown as PlatformEvent;
}

function parseObject(field: string, bytes: ByteBlocks | undefined): Record<string, unknown> {
  if (!bytes) throw new EnvelopeError(400, field, `The field "${field}" is missing.`);
  const value = parseJson(field, joinBlocks(bytes.take()));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new EnvelopeError(400, field, `The field "${field}" is not a JSON object.`);
  }
  return value as Record<string, unknown>;
}

function parseJson(field: string, bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new EnvelopeError(400, field, `The field "${field}" is not valid JSON.`);
  }
}
