import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tooManyHeaders } from '../../../../base/node/too-many-headers.js';
import { parseJson } from '../../../../base/parse-json.js';
import { textAt } from '../../../../base/value-at-path.js';
import { UserError } from '../../../../base/user-error.js';
import { createHostCheck } from '../../../../emulator/http/check-host-and-origin.js';
import { parseSignatureHeader, signatureHeader } from '../../../../protocol/signature.js';
import type { CommandContext } from '../../../context/command.js';
import { findPortOwner } from '../../../session/port-owner.js';
import { explainSignature } from '../signature/explain-signature.js';
import { report, type Received } from './report-request.js';

export interface ReceiverOptions {
  port: number;
  secret?: string;
  respond?: number[];
  delay: number;
  drop: number;
  duplicate?: boolean;
}

const tolerance = 300;
const largestBody = 1024 * 1024;
/** How long the sender has to read why its request was rejected. */
const lastMoment = 1_000;

/** Runs a receiver until it is interrupted. The receiver verifies signatures and can simulate failures. */
export async function runReceiver(context: CommandContext, options: ReceiverOptions): Promise<void> {
  const { io, style } = context;
  const {
    secret = `whsec_${randomBytes(24).toString('hex')}`,
    respond = [200],
    delay,
    drop,
    duplicate,
  } = options;
  const interrupted = io.takeInterrupts();
  const seen = new Set<string>();
  let count = 0;

  /** These requests are not counted, because they do not come from the sender being tested. */
  const reject = (
    request: IncomingMessage,
    response: ServerResponse,
    { status, reason }: { status: number; reason: string },
  ): void => {
    report(context, { status, reason });
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ error: reason }));
    // Closing the connection immediately would reset it while the body is still arriving, and the response would be lost.
    request.resume();
    void io.clock
      .sleep(lastMoment, interrupted)
      .catch(() => {})
      .then(() => request.socket.destroy());
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const excess = tooManyHeaders(request);
    if (excess !== undefined) return reject(request, response, { status: 431, reason: excess });
    const foreign = foreignHost(request);
    if (foreign !== undefined) return reject(request, response, { status: 403, reason: foreign });
    const body = request.method === 'POST' ? await readBody(request) : undefined;
    if (body === 'too large')
      return reject(request, response, { status: 413, reason: 'The body is larger than 1 MiB.' });
    const number = ++count;
    if (number <= drop) {
      request.socket.destroy();
      report(context, { number, dropped: true });
      return;
    }
    const received = body && (await receive(request, body, { secret, seen, now: io.clock.now() }));
    await io.clock.sleep(delay, interrupted).catch(() => {});
    if (!received) {
      report(context, { number, method: request.method ?? '', status: 405 });
      response.writeHead(405, { 'Content-Type': 'text/plain', Allow: 'POST' }).end('Method not allowed');
      return;
    }
    const wanted = respond[Math.min(number - drop, respond.length) - 1] ?? 200;
    const first = duplicate && received.valid && !received.duplicate;
    const status = !received.valid ? 401 : first ? 500 : wanted;
    report(context, { number, method: 'POST', status, received });
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(status === 401 ? '{"error":"Invalid signature"}' : '{"received":true}');
  };

  const server = createServer((request, response) => {
    answer(request, response).catch(() => request.socket.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port, '127.0.0.1', resolve);
  }).catch(async (error: NodeJS.ErrnoException) => {
    const { code } = error;
    if (code === 'EACCES') {
      const message = `You don't have permission to use port ${options.port}.`;
      throw new UserError('port-denied', message, 'Choose a port of at least 1024 with --port.');
    }
    if (code !== 'EADDRINUSE') throw error;
    const owner = (await findPortOwner(options.port, io.platform)) ?? 'another program';
    throw new UserError(
      'port-taken',
      `Port ${options.port} is in use by ${owner}.`,
      'Choose another port with --port.',
    );
  });
  const { port } = server.address() as { port: number };
  const url = `http://127.0.0.1:${port}/`;
  if (context.json) context.emit({ type: 'ready', url, secret });
  else {
    context.print(`Listening at ${style.cyan(url)} with secret ${style.bold(secret)}`);
    context.note(
      style.dim(
        [
          'Send it an event, or add it as an endpoint on a running platform:',
          `  platform webhook send site_view --to ${url} --secret ${secret}`,
          `  platform webhook add --event site_view --url ${url} --secret ${secret}`,
          'Press Ctrl-C to stop.',
        ].join('\n'),
      ),
    );
  }
  await new Promise<void>((stop) => {
    interrupted.addEventListener('abort', () => stop(), { once: true });
    if (interrupted.aborted) stop();
  });
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
}

/**
 * Returns the reason to reject a request that is not addressed to the receiver itself. Without this check, a web page whose
 * host name resolves to 127.0.0.1 could read the responses.
 */
function foreignHost({ headers, socket }: IncomingMessage): string | undefined {
  const { host = '' } = headers;
  const origin = `http://127.0.0.1:${socket.localPort}`;
  const own = createHostCheck(origin, ['127.0.0.1', 'localhost']);
  return own.host(`http://${host.toLowerCase()}`) === 'local'
    ? undefined
    : `The Host header is ${JSON.stringify(host.slice(0, 200))}, not ${new URL(origin).host}. Configure your tunnel to rewrite it.`;
}

async function readBody(request: IncomingMessage): Promise<Uint8Array | 'too large'> {
  const chunks: Buffer[] = [];
  let length = 0;
  // Keeps the connection open, because it is still needed for the response.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    length += (chunk as Buffer).length;
    if (length > largestBody) return 'too large';
    chunks.push(chunk as Buffer);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

async function receive(
  request: IncomingMessage,
  body: Uint8Array,
  { secret, seen, now }: { secret: string; seen: Set<string>; now: number },
): Promise<Received> {
  const header = String(request.headers[signatureHeader.toLowerCase()] ?? '');
  const { valid, explanation } = await explainSignature(body, header, secret, {
    toleranceSeconds: tolerance,
    now,
  });
  const event = readEvent(body);
  const duplicate = event !== undefined && seen.has(event.eventId);
  if (valid && event) seen.add(event.eventId);
  const parsed = parseSignatureHeader(header);
  const age = parsed.ok && { ageSeconds: Math.floor(now / 1000) - Number(parsed.timestamp) };
  return { ...(event && { event }), bytes: body.length, valid, explanation, ...age, duplicate };
}

function readEvent(body: Uint8Array): { eventId: string; type: string } | undefined {
  const event = parseJson(new TextDecoder().decode(body), undefined);
  const [eventId, type] = [textAt(event, 'eventId'), textAt(event, 'type')];
  return eventId !== undefined && type !== undefined ? { eventId, type } : undefined;
}
