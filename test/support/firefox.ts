import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface FirefoxPage {
  goto(url: string): Promise<void>;
  /** Evaluates an expression, or awaits its promise. The result must be a string. */
  evaluate(expression: string): Promise<string>;
}

/** Launches Debian's Firefox over WebDriver BiDi, which Playwright can't do with this build. */
export async function launchFirefox(): Promise<{ page: FirefoxPage; close(): Promise<void> }> {
  const profile = mkdtempSync(join(tmpdir(), 'platform-firefox-'));
  const browser = spawn(
    'firefox-esr',
    ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'],
    { env: { ...process.env, HOME: profile }, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const ended = once(browser, 'exit');
  const address = await new Promise<string>((resolve) => {
    createInterface(browser.stderr).on('line', (line) => {
      const found = /WebDriver BiDi listening on ws:[/][/](\S+)/.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  const { send, end } = await openBidi(address);
  await send('session.new', { capabilities: {} });
  const { contexts } = await send<{ contexts: { context: string }[] }>('browsingContext.getTree', {});
  const context = contexts[0]?.context;
  return {
    page: {
      goto: async (url) => void (await send('browsingContext.navigate', { context, url, wait: 'complete' })),
      async evaluate(expression) {
        const target = { context };
        const { result, exceptionDetails } = await send<{
          result?: { value?: string };
          exceptionDetails?: { text: string };
        }>('script.evaluate', { expression, target, awaitPromise: true });
        if (exceptionDetails) throw new Error(exceptionDetails.text);
        return result?.value ?? '';
      },
    },
    async close() {
      end();
      browser.kill('SIGKILL');
      await ended;
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

interface Answer {
  id?: number;
  result?: unknown;
  error?: string;
  message?: string;
}

/** A WebSocket client, because Node 20 doesn't have one without a flag. */
async function openBidi(address: string) {
  const [host = '', port = ''] = address.split(':');
  const socket = connect(Number(port), host);
  await once(socket, 'connect');
  const key = randomBytes(16).toString('base64');
  socket.write(
    `GET /session HTTP/1.1\r\nHost: ${address}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: ${key}\r\nSec-WebSocket-Version: 13\r\n\r\n`,
  );
  await once(socket, 'data');
  const waiting = new Map<number, (answer: Answer) => void>();
  readFrames(socket, (text) => {
    const answer = JSON.parse(text) as Answer;
    if (answer.id !== undefined) waiting.get(answer.id)?.(answer);
  });
  let last = 0;
  return {
    end: () => socket.destroy(),
    async send<Result>(method: string, params: object): Promise<Result> {
      const id = ++last;
      socket.write(frameOf(JSON.stringify({ id, method, params })));
      const answer = await new Promise<Answer>((resolve) => waiting.set(id, resolve));
      if (answer.error !== undefined) throw new Error(`${method}: ${answer.error} ${answer.message}`);
      return answer.result as Result;
    },
  };
}

/** Clients must mask their frames. Firefox ignores a mask of zeros. */
function frameOf(text: string): Buffer {
  const bytes = Buffer.from(text);
  const { length } = bytes;
  const size = length < 126 ? [0x80 | length] : [0xfe, length >> 8, length & 0xff];
  const mask = [1, 2, 3, 4];
  const masked = bytes.map((byte, at) => byte ^ (mask[at % 4] ?? 0));
  return Buffer.concat([Buffer.from([0x81, ...size, ...mask]), masked]);
}

function readFrames(socket: Socket, receive: (text: string) => void): void {
  let rest = Buffer.alloc(0);
  let message = '';
  socket.on('data', (piece) => {
    rest = Buffer.concat([rest, piece]);
    for (;;) {
      const short = (rest[1] ?? 0) & 0x7f;
      const head = short === 127 ? 10 : short === 126 ? 4 : 2;
      if (rest.length < head) return;
      const length =
        short === 127 ? Number(rest.readBigUInt64BE(2)) : short === 126 ? rest.readUInt16BE(2) : short;
      if (rest.length < head + length) return;
      message += rest.subarray(head, head + length).toString();
      if ((rest[0] ?? 0) & 0x80) {
        receive(message);
        message = '';
      }
      rest = rest.subarray(head + length);
    }
  });
}
