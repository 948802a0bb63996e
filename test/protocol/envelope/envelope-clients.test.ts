import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encodeEnvelope } from '../../../src/protocol/envelope/encode-envelope.js';
import { createIntegration } from '../../../src/runtime/index.js';
import { environment } from '../../support/environment.js';
import { serve } from '../../support/serve.js';
import { sharedFolder } from '../../support/temporary-folder.js';

const run = promisify(execFile);
const every = Buffer.from(Uint8Array.from({ length: 512 }, (_, i) => i % 256));
const event = {
  eventId: 'evt_1',
  installationId: 'ins_1',
  type: 'fetch' as const,
  request: { url: 'http://public.example/hook', method: 'PUT', headers: { 'content-type': 'image/x-test' } },
};
const eventText = JSON.stringify(event);

let server: Awaited<ReturnType<typeof serve>>;
const folder = sharedFolder();
beforeAll(async () => {
  writeFileSync(join(folder, 'body.bin'), every);
  const script = createIntegration({
    fetch: async (request, context) => {
      const bytes = Buffer.from(await request.arrayBuffer());
      const exact = Buffer.compare(bytes, every) === 0;
      return new Response(`${request.method} ${context.environment.integration.name} ${exact}`);
    },
  });
  server = await serve((request) => script.fetch(request));
});
afterAll(async () => {
  await server.close();
});

const environmentText = JSON.stringify(environment());

describe('reads an envelope created by', () => {
  test('curl -F', async () => {
    const { stdout } = await run('curl', [
      '-sS',
      '-F',
      `event=${eventText}`,
      '-F',
      `environment=${environmentText};type=application/json`,
      '-F',
      `fetch-body=@${join(folder, 'body.bin')};type=application/octet-stream`,
      `${server.url}/v1`,
    ]);
    expect(stdout).toBe('PUT demo true');
  });

  test('undici', async () => {
    const form = new FormData();
    form.set('event', eventText);
    form.set('environment', environmentText);
    form.set('fetch-body', new Blob([every]), 'any name.bin');
    const response = await fetch(`${server.url}/v1`, { method: 'POST', body: form });
    expect(await response.text()).toBe('PUT demo true');
  });

  test('Python without a library', async () => {
    const program = `
import sys, urllib.request
boundary = 'python0123456789'
parts = [('event', sys.argv[2].encode()), ('environment', sys.argv[3].encode()), ('fetch-body', open(sys.argv[4], 'rb').read())]
body = b''.join(b'--%s\\r\\nContent-Disposition: form-data; name="%s"\\r\\n\\r\\n%s\\r\\n' % (boundary.encode(), name.encode(), value) for name, value in parts)
body += b'--%s--' % boundary.encode()
request = urllib.request.Request(sys.argv[1], data=body, headers={'Content-Type': 'multipart/form-data; boundary=' + boundary})
print(urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request).read().decode())
`;
    const body = join(folder, 'body.bin');
    const { stdout } = await run('python3', [
      '-c',
      program,
      `${server.url}/v1`,
      eventText,
      environmentText,
      body,
    ]);
    expect(stdout.trim()).toBe('PUT demo true');
  });
});

describe('encoding an envelope', () => {
  const forms: [string, Parameters<typeof encodeEnvelope>[0]['body']][] = [
    ['in one piece', new Uint8Array(every)],
    ['as a stream', new Blob([every]).stream()],
  ];
  test.each(forms)('encodes a body %s so that another parser can read it', async (_, body) => {
    const encoded = encodeEnvelope({ event, environment: environment(), ...(body && { body }) });
    const headers = { 'content-type': encoded.contentType };
    const form = await new Response(encoded.body as BodyInit, { headers }).formData();
    expect([...form.keys()]).toEqual(['event', 'environment', 'fetch-body']);
    expect(form.get('event')).toBe(eventText);
    expect(form.get('environment')).toBe(environmentText);
    const file = form.get('fetch-body') as File;
    expect(file.type).toBe('application/octet-stream');
    expect(Buffer.compare(Buffer.from(await file.arrayBuffer()), every)).toBe(0);
  });

  test("declares a Content-Length that matches the envelope's size in bytes", async () => {
    for (const size of [undefined, 0, 1, 65_536, 65_537, 300_000]) {
      const body = size === undefined ? {} : { body: new Uint8Array(size) };
      const encoded = encodeEnvelope({ event, environment: environment(), ...body });
      const bytes = await new Response(encoded.body as BodyInit).arrayBuffer();
      expect(encoded.contentLength).toBe(bytes.byteLength);
    }
  });

  test('uses multipart boundaries with 128 random bits', () => {
    const types = Array.from(
      { length: 3 },
      () => encodeEnvelope({ event, environment: environment() }).contentType,
    );
    expect(new Set(types).size).toBe(3);
    expect(types[0]).toMatch(/^multipart\/form-data; boundary=envelope-[0-9a-f-]{36}$/);
  });
});

test('reads a body stream on demand, and cancels it when it is no longer needed', async () => {
  let pulled = 0;
  let cancelled = false;
  const source = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(65_536));
      },
      cancel: () => void (cancelled = true),
    },
    { highWaterMark: 0 },
  );
  const { body } = encodeEnvelope({ event, environment: environment(), body: source });
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  expect(pulled).toBe(0);
  await reader.read();
  await reader.read();
  await reader.read();
  expect(pulled).toBe(2);
  await reader.cancel();
  expect(cancelled).toBe(true);
});
