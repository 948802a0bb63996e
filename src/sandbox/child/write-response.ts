import { setImmediate } from 'node:timers';
import { types } from 'node:util';
import type { CallMemory } from '../../protocol/log-and-outbound-types.js';
import type { ResponseHead } from '../wire/call-head.js';
import { describeError } from '../observe/describe-error.js';
import { internalErrorResponse, type ReportError } from '../script/call-script.js';
import { noBytes } from '../wire/frames.js';
import type { Exchange } from '../wire/request-exchange.js';

type Reader = ReadableStreamDefaultReader<Uint8Array>;
type Read = Awaited<ReturnType<Reader['read']>>;

interface WriteOptions {
  headOnly: boolean;
  memory: CallMemory | undefined;
  reportError: ReportError;
}

/**
 * Writes a small response in one piece, and streams a large or slow one. If the script's response cannot be sent, for
 * example because the script has already read its body, the caller receives the same response as after an exception.
 */
export async function writeResponse(
  response: Response,
  exchange: Exchange<ResponseHead>,
  options: WriteOptions,
): Promise<void> {
  let isBegun = false;
  try {
    await write(
      response,
      { ...exchange, begin: (head) => ((isBegun = true), exchange.begin(head)) },
      options,
    );
  } catch (error) {
    options.reportError('The response body failed:', error);
    if (isBegun) return exchange.abort(new Error('The response was cut short.'));
    const failed = internalErrorResponse();
    const body = new Uint8Array(await failed.arrayBuffer());
    await exchange.send({ status: failed.status, headers: [...failed.headers] }, body);
  }
}

async function write(
  response: Response,
  exchange: Exchange<ResponseHead>,
  { headOnly, memory }: WriteOptions,
): Promise<void> {
  const { status, body } = response;
  if (!Number.isInteger(status) || status < 200 || status > 599)
    throw new RangeError(`The status ${describeError(status)} is not a number from 200 to 599.`);
  const headers = ownHeaders(response.headers);
  const head: ResponseHead = { status, headers, ...(memory && { memory }) };
  if (!body) return exchange.send(head, noBytes);

  const reader = body.getReader();
  exchange.whenOver((error) => {
    if (error || headOnly) reader.cancel(error).catch(() => {});
  });
  const begun = await begin(reader);
  if (headOnly) {
    if (begun instanceof Uint8Array) headers.push(['content-length', String(begun.length)]);
    return exchange.send(head, noBytes);
  }
  if (begun instanceof Uint8Array) return exchange.send(head, begun);
  exchange.begin(head);
  await stream(begun, reader, exchange);
  exchange.end();
}

/**
 * Resolves to the body if it is complete by the end of this turn of the event loop, or else to the read that is in
 * progress.
 */
const begin = (reader: Reader): Promise<Uint8Array | Promise<Read>[]> =>
  new Promise((resolve, reject) => {
    const reads: Promise<Read>[] = [];
    let decided = false;
    const decide = (what: Uint8Array | Promise<Read>[]): void => {
      decided = true;
      resolve(what);
    };
    const read = (before: Uint8Array): void => {
      const next = reader.read();
      reads.push(next);
      next
        .then(({ done, value }) => {
          if (decided) return;
          if (done) decide(before);
          else if (reads.length === 1) read(checked(value));
          else decide(reads);
        })
        .catch(reject);
    };
    read(noBytes);
    setImmediate(decide, reads);
  });

async function stream(
  begun: Promise<Read>[],
  reader: Reader,
  exchange: Exchange<ResponseHead>,
): Promise<void> {
  while (!exchange.isOver()) {
    const { done, value } = await (begun.shift() ?? reader.read());
    if (done) return;
    await exchange.write(checked(value));
  }
}

function checked(piece: unknown): Uint8Array {
  if (types.isUint8Array(piece)) return piece;
  throw new TypeError(`The response body contains a chunk that is not a Uint8Array: ${describeError(piece)}`);
}

const impossible = /[^\t\x20-\x7E\x80-\xFF]/;
const headerName = /^[!#$%&'*+.^_`|~\w-]+$/;

function ownHeaders(headers: Headers): ResponseHead['headers'] {
  const own: ResponseHead['headers'] = [];
  for (const [name, value] of headers) {
    // The platform counts the bytes and sets the Content-Length header itself.
    if (name === 'content-length') continue;
    if (!headerName.test(name) || impossible.test(value))
      throw new TypeError(`The header ${name} contains a character that HTTP does not allow.`);
    own.push([name, value]);
  }
  return own;
}
