import { deepestJson, nestsTooDeep } from '../base/text/json-depth.js';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';

/** The maximum length of a request. No client is expected to send a longer one. */
const longestLine = 1024 * 1024;

/** Reads one JSON message per line until the input ends. */
export function createLineTransport(
  input: AsyncIterable<Uint8Array>,
  write: (text: string) => void,
  report: (message: string) => void,
): { transport: Transport; ended: Promise<void> } {
  let closed = false;
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  const transport: Transport = {
    start() {
      void read();
      return Promise.resolve();
    },
    send(message) {
      if (!closed) write(`${JSON.stringify(message)}\n`);
      return Promise.resolve();
    },
    close() {
      if (closed) return Promise.resolve();
      closed = true;
      transport.onclose?.();
      end();
      return Promise.resolve();
    },
  };

  async function read(): Promise<void> {
    const decoder = new TextDecoder();
    let rest = '';
    let tooLong = false;
    try {
      for await (const chunk of input) {
        const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) {
          // The line that ends here has its response already.
          if (tooLong) tooLong = false;
          else take(line);
        }
        if (rest.length > longestLine) {
          reject(-32600, 'Received a message that is longer than 1 MiB.');
          tooLong = true;
        }
        if (tooLong) rest = '';
        if (closed) break;
      }
    } catch {
      // A signal has closed the input.
    }
    await transport.close();
  }

  /** Without a response, a client would wait forever. The id is null if it cannot be read. */
  function reject(code: number, message: string, id: string | number | null = null): void {
    report(message);
    write(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })}\n`);
  }

  function take(line: string): void {
    if (line.trim() === '') return;
    let message: JSONRPCMessage;
    try {
      message = JSON.parse(line) as JSONRPCMessage;
    } catch {
      reject(-32700, 'Received a line that is not valid JSON.');
      return;
    }
    if (Array.isArray(message)) {
      reject(-32600, 'Received a batch on one line. Send one message per line.');
      return;
    }
    const problem = nestsTooDeep(line)
      ? `Received a message that is nested more than ${deepestJson} levels deep.`
      : problemOf(message);
    if (problem === undefined) transport.onmessage?.(message);
    else reject(-32600, problem, idOf(message));
  }
  return { transport, ended };
}

/** Returns why a value is not a JSON-RPC message. Without this check, the server would silently ignore it. */
function problemOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return 'Received a value that is not a JSON-RPC message.';
  const { jsonrpc, id, method, params = {} } = value as Record<string, unknown>;
  if (jsonrpc !== '2.0') return 'Received a message without "jsonrpc": "2.0".';
  if ('result' in value || 'error' in value) return undefined;
  if (typeof method !== 'string') return 'Received a message without a method.';
  if (typeof params !== 'object' || params === null || Array.isArray(params))
    return 'Received a message whose params are not an object.';
  return id === undefined || idOf(value) !== null
    ? undefined
    : 'Received a message whose id is neither a string nor a whole number.';
}

function idOf(value: unknown): string | number | null {
  const { id } = (value ?? {}) as { id?: unknown };
  return typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id)) ? id : null;
}
