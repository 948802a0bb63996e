import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterEach, expect, test } from 'vitest';
import { encodeEnvelope } from '../../src/protocol/envelope/encode-envelope.js';
import { sampleEvent } from '../../src/protocol/sample-events.js';
import { environment } from '../support/environment.js';
import { sharedFolder } from '../support/temporary-folder.js';

const size = 64 * 1024 * 1024;
const root = fileURLToPath(new URL('../../', import.meta.url));

/** A script that takes a whole body into one buffer, and tells the largest memory of its process. */
const program = `
  import { createServer } from 'node:http';
  import { createHash } from 'node:crypto';
  import { getRequestListener } from '@hono/node-server';
  import { createIntegration } from './src/runtime/index.js';
  import { peakMemory } from './test/support/peak-memory.js';

  const script = createIntegration({
    fetch: async (request) => {
      const bytes = new Uint8Array(await request.arrayBuffer());
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      return Response.json({ size: bytes.length, sha256, memory: peakMemory() });
    },
  });
  const listen = getRequestListener((request) => script.fetch(request));
  const server = createServer(listen).listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

const folder = sharedFolder();
let child: ChildProcess | undefined;
afterEach(() => {
  child?.kill('SIGKILL');
});

test("keeps the memory use of the script's process below four times the size of a 64 MiB body", async () => {
  const outfile = join(folder, 'program.mjs');
  await build({
    stdin: { contents: program, resolveDir: root, loader: 'ts' },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  });
  child = spawn(process.execPath, [outfile], { stdio: ['ignore', 'pipe', 'inherit'] });
  const port = await new Promise<string>((resolve) =>
    child?.stdout?.once('data', (text) => resolve(String(text).trim())),
  );

  const post = async (body: Uint8Array): Promise<{ size: number; sha256: string; memory: number }> => {
    const event = { ...sampleEvent('fetch'), request: { url: 'http://a/b', method: 'POST', headers: {} } };
    const encoded = encodeEnvelope({ event, environment: environment(), body });
    const headers = { 'content-type': encoded.contentType };
    const init = { method: 'POST', headers, body: encoded.body, duplex: 'half' } as RequestInit;
    return (await fetch(`http://127.0.0.1:${port}/v1`, init)).json() as never;
  };
  const before = await post(new Uint8Array(1000));
  const body = Uint8Array.from({ length: size }, (_, i) => (i * 7919) >>> 5);
  const { memory, ...answer } = await post(body);
  const digest = Buffer.from(await crypto.subtle.digest('SHA-256', body)).toString('hex');
  expect(answer).toEqual({ size, sha256: digest });
  const growth = (memory - before.memory) / size;
  console.log(`a body of 64 MiB: the script's process grew by ${growth.toFixed(2)} times its size`);
  expect(growth).toBeLessThan(4);
});
