import { setImmediate } from 'node:timers';
import { types } from 'node:util';
import type { AnswerHead } from '../wire/call-head.js';
import { describeError } from '../observe/describe-error.js';
import { noBytes } from '../wire/frames.js';
import type { Exchange } from '../wire/request-exchange.js';

type Reader = ReadableStreamDefaultReader<Uint8Array>;
type Read = Awaited<ReturnType<Reader['read']>>;

/** Writes a small answer in one piece, and anything slower or larger as it comes. */
export async function writeResponse(
  response: Response,
  exchange: Exchange<AnswerHead>,
  { headOnly }: { headOnly: boolean },
): Promise<void> {
  const { status, body } = response;
  const headers = ownHeaders(response.headers);
  if (!body) return exchange.send({ status, headers }, noBytes);

  const reader = body.getReader();
  exchange.whenOver((error) => {
    if (error || headOnly) reader.cancel(error).catch(() => {});
  });
  const begun = await begin(reader);
  if (headOnly) {
    if (begun instanceof Uint8Array) headers.push(['content-length', String(begun.length)]);
    return exchange.send({ status, headers }, noBytes);
  }
  if (begun instanceof Uint8Array) return exchange.send({ status, headers }, begun);
  exchange.begin({ status, headers });
  await pour(begun, reader, exchange);
  exchange.end();
}

/** A body that is there by the end of this turn of the event loop, or the reads that have begun. */
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

async function pour(begun: Promise<Read>[], reader: Reader, exchange: Exchange<AnswerHead>): Promise<void> {
  while (!exchange.isOver()) {
    const { done, value } = await (begun.shift() ?? reader.read());
    if (done) return;
    await exchange.write(checked(value));
  }
}

function checked(piece: unknown): Uint8Array {
  if (types.isUint8Array(piece)) return piece;
  throw new TypeError(`It holds a piece that is no Uint8Array, but ${describeError(piece)}`);
}

const impossible = /[^\t\x20-\x7E\x80-\xFF]/;

function ownHeaders(headers: Headers): AnswerHead['headers'] {
  const own: AnswerHead['headers'] = [];
  for (const [name, value] of headers) {
    // It is counted.
    if (name === 'content-length') continue;
    if (impossible.test(value))
      throw new TypeError(`The header ${name} holds a character that HTTP cannot carry.`);
    own.push([name, value]);
  }
  return own;
}
