import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';

/** The maximum length of a request. No client is expected to send a longer one. */
const longestLine = 1024 * 1024;

/** Reads one JSON message per line. Ends at the end of the input, or at a line that is too long. */
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
    try {
      for await (const chunk of input) {
        const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) take(line);
        if (rest.length > longestLine) {
          report('A message is longer than 1 MiB, so the server stops.');
          break;
        }
        if (closed) break;
      }
    } catch {
      // A signal has closed the input.
    }
    await transport.close();
  }

  /** Responds to a message whose id cannot be read. */
  function reject(code: number, message: string): void {
    report(message);
    write(`${JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } })}\n`);
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
    transport.onmessage?.(message);
  }
  return { transport, ended };
}
