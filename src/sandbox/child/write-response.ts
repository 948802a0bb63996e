import type { ServerResponse } from 'node:http';

type Reader = ReadableStreamDefaultReader<Uint8Array>;
type Read = Awaited<ReturnType<Reader['read']>>;

/** Writes a small answer in one piece, and anything slower or larger as it comes. */
export async function writeResponse(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.sendDate = false;
  const headers = toRawHeaders(response.headers);
  if (!response.body) {
    outgoing.writeHead(response.status, headers).end();
    return;
  }
  const reader = response.body.getReader();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) reader.cancel().catch(() => {});
  });

  const first = reader.read();
  const early = await atOnce(first);
  if (early) {
    const rest = early.done ? undefined : reader.read();
    const last = rest ? await atOnce(rest) : early;
    if (last?.done) {
      const body = early.value ?? new Uint8Array();
      outgoing.writeHead(response.status, [...headers, 'content-length', String(body.byteLength)]).end(body);
      return;
    }
    outgoing.writeHead(response.status, headers);
    await stream(reader, outgoing, [early, ...(rest ? [rest] : [])]);
    return;
  }
  outgoing.writeHead(response.status, headers).flushHeaders();
  await stream(reader, outgoing, [first]);
}

async function stream(
  reader: Reader,
  outgoing: ServerResponse,
  begun: (Read | Promise<Read>)[],
): Promise<void> {
  for (;;) {
    const { done, value } = await (begun.shift() ?? reader.read());
    if (done || outgoing.destroyed) break;
    if (outgoing.write(value)) continue;
    await new Promise<void>((resolve) => {
      outgoing.once('drain', resolve).once('close', resolve);
    });
  }
  outgoing.end();
}

const nothing = Symbol('nothing');

/** The result of a promise that is settled by the end of this turn of the event loop. */
async function atOnce(promise: Promise<Read>): Promise<Read | undefined> {
  const result = await Promise.race([
    promise,
    new Promise<typeof nothing>((resolve) => setImmediate(resolve, nothing)),
  ]);
  return result === nothing ? undefined : result;
}

/** The length is counted here, and the way a body is framed is the connection's own affair. */
const dropped = new Set(['content-length', 'connection', 'transfer-encoding', 'keep-alive']);

function toRawHeaders(headers: Headers): string[] {
  const raw: string[] = [];
  for (const [name, value] of headers) if (!dropped.has(name)) raw.push(name, value);
  return raw;
}
