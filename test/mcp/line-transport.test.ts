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
      'odd\n[{"jsonrpc":"2.0","id":1,"meth',
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

test.each([
  ['null', null],
  ['"text"', null],
  ['{}', null],
  ['{"jsonrpc":"1.0","id":5,"method":"ping"}', 5],
  ['{"jsonrpc":"2.0","id":"six"}', 'six'],
  ['{"jsonrpc":"2.0","id":7,"method":{}}', 7],
  ['{"jsonrpc":"2.0","id":8,"method":"ping","params":[]}', 8],
  ['{"jsonrpc":"2.0","id":{},"method":"ping"}', null],
  ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', null],
  [`{"jsonrpc":"2.0","id":9,"method":"ping","params":{"a":${'['.repeat(300)}${']'.repeat(300)}}}`, 9],
])('responds to %s with an error, because a client would wait forever', async (line, id) => {
  const written: string[] = [];
  const taken: unknown[] = [];
  const { transport, ended } = createLineTransport(
    chunks(`${line}\n{"jsonrpc":"2.0","id":2,"method":"ping"}\n`),
    (text) => written.push(text),
    () => {},
  );
  Object.assign(transport, { onmessage: (message: unknown) => taken.push(message) });
  await transport.start();
  await ended;
  expect(written.map((text) => JSON.parse(text) as unknown)).toMatchObject([{ id, error: { code: -32600 } }]);
  expect(taken).toMatchObject([{ id: 2 }]);
});

test('responds once to a line that is too long, and keeps reading after it', async () => {
  const written: string[] = [];
  const taken: unknown[] = [];
  const half = 'x'.repeat(600_000);
  const { transport, ended } = createLineTransport(
    chunks(half, half, half, `${half}\n{"jsonrpc":"2.0","id":2,"method":"ping"}\n`),
    (text) => written.push(text),
    () => {},
  );
  Object.assign(transport, { onmessage: (message: unknown) => taken.push(message) });
  await transport.start();
  await ended;
  expect(written.map((text) => JSON.parse(text) as unknown)).toMatchObject([
    { id: null, error: { code: -32600, message: 'Received a message that is longer than 1 MiB.' } },
  ]);
  expect(taken).toMatchObject([{ id: 2 }]);
});
