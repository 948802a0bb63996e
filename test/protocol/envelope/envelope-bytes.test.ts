import { expect, test } from 'vitest';
import { decodeEnvelope } from '../../../src/protocol/envelope/decode-envelope.js';
import { ExposableError } from '../../../src/protocol/exposable-error.js';

const event = '{"type":"space_view"}';
const field = (name: string, value: string, head = ''): string =>
  `--B\r\nContent-Disposition: form-data; name="${name}"${head}\r\n\r\n${value}\r\n`;
const fields = field('event', event) + field('environment', '{}');

/** Decodes bytes that arrive in chunks of this size. */
async function decode(
  body: string | Buffer,
  contentType = 'multipart/form-data; boundary=B',
  size = 1 << 20,
) {
  const bytes = Buffer.from(body);
  let at = 0;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(new Uint8Array(bytes.subarray(at, at + size)));
      at += size;
    },
  });
  const init = { method: 'POST', headers: { 'content-type': contentType }, body: stream, duplex: 'half' };
  const limits = { event: 1000, environment: 1000, 'fetch-body': 5000 };
  return decodeEnvelope(new Request('http://script.internal/v1', init), limits);
}

const body = Buffer.concat([
  Buffer.from(field('event', '{"type":"fetch","a":"é"}') + field('environment', '{"apiEndpoint":"x"}')),
  Buffer.from('--B\r\nContent-Disposition: form-data; name="fetch-body"; filename="body"\r\n'),
  Buffer.from('Content-Type: application/octet-stream\r\n\r\n'),
  Buffer.from([0, 255, 13, 10, 45, 45, 13, 10, 45, 45, 65, 13, 13, 10]),
  Buffer.from('\r\n--B--\r\n'),
]);
test.each([1, 2, 3, 5, 7, 64, 100_000])('decodes an envelope in chunks of %i bytes', async (size) => {
  expect(await decode(body, undefined, size)).toEqual({
    event: { type: 'fetch', a: 'é' },
    environment: { apiEndpoint: 'x' },
    body: new Uint8Array([0, 255, 13, 10, 45, 45, 13, 10, 45, 45, 65, 13, 13, 10]),
  });
});

test.each([
  ['no trailing newline', `${fields}--B--`],
  ['text before and after the parts', `hello\r\n${fields}--B--\r\nbye\r\n\r\nbye`],
  ['spaces after a boundary', `${fields.replaceAll('--B\r\n', '--B \t\r\n')}--B--\r\n`],
  ['an unknown field', `${fields}${field('later', 'x')}--B--\r\n`],
  ['headers in mixed case', `${fields.replaceAll('Content-Disposition', 'CONTENT-disposition')}--B--`],
  ['fields in another order', `${field('environment', '{}')}${field('event', event)}--B--`],
  ['a file', `${field('event', event, '; filename="e.json"')}${field('environment', '{}')}--B--`],
  ['a byte order mark', `${field('event', `\ufeff${event}`)}${field('environment', '{}')}--B--`],
  ['a name without quotes', `${fields.replaceAll('"event"', 'event')}--B--`],
  ['an odd name', `${field('event', event, '; filename="\\"; name=x"')}${field('environment', '{}')}--B--`],
  [
    'a file name before the name',
    `--B\r\nContent-Disposition: form-data; filename="; name=other"; name="event"\r\n\r\n${event}\r\n${field('environment', '{}')}--B--`,
  ],
  [
    'a transfer encoding without effect',
    `${fields.replaceAll('\r\n\r\n', '\r\nContent-Transfer-Encoding: 8bit\r\n\r\n')}--B--`,
  ],
])('accepts an envelope with %s', async (_, body) => {
  expect(await decode(body)).toEqual({ event: { type: 'space_view' }, environment: {} });
  expect(await decode(body, undefined, 1)).toEqual({ event: { type: 'space_view' }, environment: {} });
});

test.each([
  'multipart/form-data; boundary=B',
  'multipart/form-data; boundary="B"',
  'Multipart/Form-Data;BOUNDARY=B',
  'multipart/form-data; charset=utf-8; boundary=B',
  'multipart/form-data; boundary=B; charset=utf-8',
])('accepts an envelope with the content type %s', async (type) => {
  expect((await decode(`${fields}--B--`, type)).event.type).toBe('space_view');
});

const many = (count: number): string => 'x'.repeat(count);
test.each([
  ['no boundary', `${fields}--B--`, 400, 'content-type', 'multipart/form-data'],
  ['an empty boundary', `${fields}--B--`, 400, 'content-type', 'multipart/form-data; boundary='],
  ['another content type', `${fields}--B--`, 400, 'content-type', 'application/json'],
  ['an empty body', '', 400, 'body'],
  ['JSON instead of parts', event, 400, 'body'],
  ['no closing boundary', fields, 400, 'body'],
  ['only one closing hyphen', `${fields}--B-`, 400, 'body'],
  ['a part that ends in the middle of its headers', `${fields}--B\r\nContent-Disp`, 400, 'body'],
  ['line feeds without carriage returns', `${fields}--B--`.replaceAll('\r\n', '\n'), 400, 'body'],
  ['no event', `${field('environment', '{}')}--B--`, 400, 'event'],
  ['no environment', `${field('event', event)}--B--`, 400, 'environment'],
  ['a duplicate event', `${fields}${field('event', event)}--B--`, 400, 'event'],
  ['a duplicate environment', `${fields}${field('environment', '{}')}--B--`, 400, 'environment'],
  ['a duplicate unknown field', `${fields}${field('later', '')}${field('later', '')}--B--`, 400, 'later'],
  ['a second body', `${fields}${field('fetch-body', '')}${field('fetch-body', '')}--B--`, 400, 'fetch-body'],
  ['an event that is not JSON', `${field('event', '{')}${field('environment', '{}')}--B--`, 400, 'event'],
  ['an empty event', `${field('event', '')}${field('environment', '{}')}--B--`, 400, 'event'],
  ['an event that is a list', `${field('event', '[]')}${field('environment', '{}')}--B--`, 400, 'event'],
  ['an event that is null', `${field('event', 'null')}${field('environment', '{}')}--B--`, 400, 'event'],
  ['an event without a type', `${field('event', '{}')}${field('environment', '{}')}--B--`, 400, 'event'],
  ['an event of type ""', `${field('event', '{"type":""}')}${field('environment', '{}')}--B--`, 400, 'event'],
  ['an event of type 5', `${field('event', '{"type":5}')}${field('environment', '{}')}--B--`, 400, 'event'],
  ['a string environment', `${field('event', event)}${field('environment', '"x"')}--B--`, 400, 'environment'],
  ['a part without a name', `${fields.replace('; name="event"', '')}--B--`, 400, 'body'],
  ['a part without headers', `${fields}--B\r\n\r\nx\r\n--B--`, 400, 'body'],
  ['a boundary followed by other text', `${fields}--Bx\r\n\r\nx\r\n--B--`, 400, 'body'],
  [
    'a base64 transfer encoding',
    `${fields.replace('\r\n\r\n', '\r\nContent-Transfer-Encoding: base64\r\n\r\n')}--B--`,
    400,
    'body',
  ],
  ['headers that never end', `${fields}--B\r\n${many(20_000)}`, 400, 'body'],
  ['an event that is too large', `${field('event', many(1001))}--B--`, 413, 'event'],
  ['an environment that is too large', `${field('environment', many(1001))}--B--`, 413, 'environment'],
  ['a body that is too large', `${fields}${field('fetch-body', many(5001))}--B--`, 413, 'fetch-body'],
])('rejects an envelope with %s', async (_, body, status, name, type?: string) => {
  const refused = decode(body, type);
  await expect(refused).rejects.toBeInstanceOf(ExposableError);
  await expect(refused).rejects.toMatchObject({
    code: status,
    message: expect.stringContaining(`The field "${name}" `),
  });
});

test('rejects an envelope that is not UTF-8', async () => {
  const body = Buffer.from(`${field('event', '{"type":"\u0001"}')}${field('environment', '{}')}--B--`);
  body[body.indexOf(1)] = 0xff;
  await expect(decode(body)).rejects.toMatchObject({
    code: 400,
    message: 'The field "event" is not a JSON object.',
  });
});

test('accepts a field that is exactly as long as its limit', async () => {
  const body = `${fields}${field('fetch-body', many(5000))}--B--`;
  expect((await decode(body, undefined, 7)).body).toHaveLength(5000);
});

test('stops reading an envelope once it is too large', async () => {
  let cancelled = false;
  const megabyte = Buffer.alloc(1 << 20);
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(Buffer.from(field('event', event))),
    pull: (controller) => controller.enqueue(megabyte),
    cancel: () => void (cancelled = true),
  });
  const headers = { 'content-type': 'multipart/form-data; boundary=B' };
  const init = { method: 'POST', headers, body: stream, duplex: 'half' } as RequestInit;
  await expect(decodeEnvelope(new Request('http://s/v1', init))).rejects.toMatchObject({
    code: 413,
    message: 'The field "body" exceeds 108003328 bytes.',
  });
  expect(cancelled).toBe(true);
});

test('rejects an envelope whose upload is interrupted', async () => {
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(Buffer.from(fields));
      controller.error(new Error('reset'));
    },
  });
  const headers = { 'content-type': 'multipart/form-data; boundary=B' };
  const init = { method: 'POST', headers, body: stream, duplex: 'half' } as RequestInit;
  await expect(decodeEnvelope(new Request('http://s/v1', init))).rejects.toMatchObject({
    code: 400,
    message: 'The field "body" is cut short.',
  });
});
