import { expect, test } from 'vitest';
import { decodeEnvelope } from '../../../src/protocol/envelope/decode-envelope.js';
import { encodeEnvelope } from '../../../src/protocol/envelope/encode-envelope.js';
import { ExposableError } from '../../../src/protocol/exposable-error.js';
import { sampleEvent } from '../../../src/protocol/sample-events.js';
import { environment } from '../../support/environment.js';

const event = sampleEvent('space_content_updated', { newId: (kind) => `${kind}_1` });

async function roundTrip(body?: Uint8Array | ReadableStream<Uint8Array>) {
  const encoded = encodeEnvelope({ event, environment: environment(), ...(body && { body }) });
  const request = new Request('http://script/v1', {
    method: 'POST',
    headers: { 'content-type': encoded.contentType },
    body: encoded.body,
    duplex: 'half',
  } as RequestInit);
  return decodeEnvelope(request);
}

const every = Uint8Array.from({ length: 256 }, (_, i) => i);
test.each([
  ['no bytes', new Uint8Array(0)],
  ['all 256 byte values', every],
  ['line breaks', new TextEncoder().encode('\r\n\r\n--\r\n--envelope-\r\n')],
  ['70,000 bytes', Uint8Array.from({ length: 70_000 }, (_, i) => i % 251)],
  ['600,000 bytes', Uint8Array.from({ length: 600_000 }, (_, i) => i % 13)],
])('decodes a body with %s unchanged', async (_, bytes) => {
  const decoded = await roundTrip(bytes);
  expect(decoded.event).toEqual(event);
  expect(decoded.environment).toEqual(environment());
  expect(Buffer.compare(Buffer.from(decoded.body ?? 'none'), Buffer.from(bytes))).toBe(0);
});

test('distinguishes an empty body from a missing one', async () => {
  expect((await roundTrip()).body).toBeUndefined();
  expect((await roundTrip(new Uint8Array(0))).body).toEqual(new Uint8Array(0));
});

test('encodes a body that is a stream', async () => {
  const { body } = await roundTrip(new Blob(['a', 'b', '\r\n']).stream());
  expect(new TextDecoder().decode(body)).toBe('ab\r\n');
});

test('rejects a request that is not an envelope', async () => {
  const request = new Request('http://script/v1', { method: 'POST', body: '{}' });
  await expect(decodeEnvelope(request)).rejects.toThrow(ExposableError);
});
