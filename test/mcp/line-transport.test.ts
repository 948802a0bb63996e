import { expect, test } from 'vitest';
import { createLineTransport } from '../../src/mcp/line-transport.js';

async function* chunks(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield new TextEncoder().encode(text);
}

test('responds to invalid JSON and to a batch with an error, and keeps reading', async () => {
  const written: string[] = [];
  const reports: string[] = [];
  const taken: unknown[] = [];
  const { transport, ended } = createLineTransport(
    chunks(
      'garbage\n[{"jsonrpc":"2.0","id":1,"meth',
      'od":"ping"}]\n\n{"jsonrpc":"2.0","id":2,"method":"ping"}\n',
    ),
    (text) => written.push(text),
    (message) => reports.push(message),
  );
  Object.assign(transport, { onmessage: (message: unknown) => taken.push(message) });
  await transport.start();
  await ended;
  expect(written.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { jsonrpc: '2.0', id: null, error: { code: -32700 } },
    { jsonrpc: '2.0', id: null, error: { code: -32600 } },
  ]);
  expect(reports).toHaveLength(2);
  expect(taken).toMatchObject([{ id: 2 }]);
});
