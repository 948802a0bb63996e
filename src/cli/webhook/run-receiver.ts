import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { UserError } from '../../diagnostics/user-error.js';
import { signatureHeader } from '../../protocol/signature.js';
import type { CommandContext } from '../command.js';
import { findPortOwner } from '../dev/port-owner.js';
import { explainSignature } from './explain-signature.js';

interface ReceiverOptions {
  port: number;
  secret?: string;
  respond?: number[];
  delay: number;
  drop: number;
  duplicate?: boolean;
}

interface Received {
  event?: { eventId: string; type: string };
  body: Uint8Array;
  valid: boolean;
  explanation: string;
  duplicate: boolean;
}

const tolerance = 300;

/** A reference receiver (§5.2) that can be told to misbehave. Runs until it is interrupted. */
export async function runReceiver(context: CommandContext, options: ReceiverOptions): Promise<void> {
  const { io, style } = context;
  const {
    secret = `whsec_${randomBytes(24).toString('hex')}`,
    respond = [200],
    delay,
    drop,
    duplicate,
  } = options;
  const seen = new Set<string>();
  let count = 0;

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const number = count++;
    if (number < drop) {
      request.socket.destroy();
      report(context, { number, dropped: true });
      return;
    }
    const received = await receive(request, { secret, seen, now: io.clock.now() });
    const wanted = respond[Math.min(number - drop, respond.length - 1)] ?? 200;
    const first = duplicate && received.valid && !received.duplicate;
    const status = request.method !== 'POST' ? 405 : !received.valid ? 401 : first ? 500 : wanted;
    await io.clock.sleep(delay, io.signal).catch(() => {});
    report(context, { number, status, received });
    const body =
      status === 405
        ? 'Method not allowed'
        : status === 401
          ? '{"error":"Invalid signature"}'
          : '{"received":true}';
    response.writeHead(status, {
      'Content-Type': status === 405 ? 'text/plain' : 'application/json',
      ...(status === 405 && { Allow: 'POST' }),
    });
    response.end(body);
  };

  const server = createServer((request, response) => {
    answer(request, response).catch(() => request.socket.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port, '127.0.0.1', resolve);
  }).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    const owner = (await findPortOwner(options.port, io.platform)) ?? 'another program';
    throw new UserError(
      'port-taken',
      `Port ${options.port} is taken by ${owner}.`,
      'Choose another one with --port.',
    );
  });
  const { port } = server.address() as { port: number };
  const url = `http://127.0.0.1:${port}/`;
  if (context.json) context.emit({ type: 'ready', url, secret });
  else {
    context.print(`Listening at ${style.cyan(url)} with the secret ${style.bold(secret)}`);
    context.note(
      style.dim(
        [
          'Send it one event, or those of a running platform:',
          `  platform webhook send site_view --to ${url} --secret ${secret}`,
          `  platform webhook add --event site_view --url ${url} --secret ${secret}`,
          'Press Ctrl-C to stop.',
        ].join('\n'),
      ),
    );
  }
  await new Promise<void>((stop) => {
    io.signal.addEventListener('abort', () => stop(), { once: true });
    if (io.signal.aborted) stop();
  });
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
}

async function receive(
  request: IncomingMessage,
  { secret, seen, now }: { secret: string; seen: Set<string>; now: number },
): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = new Uint8Array(Buffer.concat(chunks));
  const header = String(request.headers[signatureHeader.toLowerCase()] ?? '');
  const { valid, explanation } = await explainSignature(body, header, secret, {
    toleranceSeconds: tolerance,
    now,
  });
  const event = readEvent(body);
  const duplicate = event !== undefined && seen.has(event.eventId);
  if (valid && event) seen.add(event.eventId);
  return { ...(event && { event }), body, valid, explanation, duplicate };
}

function readEvent(body: Uint8Array): { eventId: string; type: string } | undefined {
  try {
    const { eventId, type } = JSON.parse(new TextDecoder().decode(body)) as Record<string, unknown>;
    return typeof eventId === 'string' && typeof type === 'string' ? { eventId, type } : undefined;
  } catch {
    return undefined;
  }
}

type Report = { number: number; dropped: true } | { number: number; status: number; received: Received };

function report({ json, emit, print, style }: CommandContext, report: Report): void {
  if ('dropped' in report) {
    if (json) emit({ type: 'dropped', number: report.number + 1 });
    else print(style.yellow(`${report.number + 1}  dropped`));
    return;
  }
  const { number, status, received } = report;
  const { event, body, valid, explanation, duplicate } = received;
  if (json) {
    emit({
      type: 'request',
      number: number + 1,
      status,
      valid,
      duplicate,
      event,
      bytes: body.length,
      ...(!valid && { explanation }),
    });
    return;
  }
  const what = event ? `${style.bold(event.type)} ${style.dim(event.eventId)}` : 'no event';
  const verdict = status < 300 ? style.green(String(status)) : style.red(String(status));
  print(
    `${number + 1}  ${verdict}  ${what}${duplicate ? style.yellow('  duplicate') : ''}  ${style.dim(`${body.length} bytes`)}`,
  );
  if (!valid) print(`     ${style.red('invalid signature')}  ${explanation}`);
}
