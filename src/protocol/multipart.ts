import { joinBlocks, type Blocks, type Bytes } from './byte-blocks.js';
import { EnvelopeError } from './envelope-error.js';
import { utf8 } from './hmac.js';

const longestHead = 16 * 1024;
const longestBoundary = 70;

export const malformed = (why: string): EnvelopeError =>
  new EnvelopeError(400, 'body', `is no whole multipart body: ${why}`);

const badHead = (): EnvelopeError =>
  malformed('the headers of a part are malformed, too long, or ask for an encoding');

/** The boundary of a `multipart/form-data` request. */
export function boundaryOf({ headers }: Request): string {
  const type = 'content-type';
  const boundary = parameterOf(headers.get(type) ?? '', /^\s*multipart\/form-data\s*(;.*)/i, 'boundary');
  if (boundary && boundary.length <= longestBoundary) return boundary;
  throw new EnvelopeError(400, type, 'is not multipart/form-data with a boundary');
}

/** Reads a multipart body as it comes. Parts that have no limit are not kept. */
export async function readMultipart(
  blocks: AsyncIterable<Bytes> | Iterable<Bytes>,
  boundary: string,
  limits: ReadonlyMap<string, number>,
): Promise<Map<string, Blocks>> {
  const parts = new Map<string, Blocks>();
  const endOfHead = utf8('\r\n\r\n');
  const reading = readParts(parts, limits, utf8(`\r\n--${boundary}`), endOfHead);
  reading.next();
  for await (const block of blocks) reading.next(block);
  // The closing boundary is read as a head, which mostly nothing follows.
  if (!reading.next(endOfHead).done) throw malformed('it ends before its closing boundary');
  return parts;
}

/** Is done at the closing boundary; takes a block whenever it needs more bytes. */
function* readParts(
  parts: Map<string, Blocks>,
  limits: ReadonlyMap<string, number>,
  delimiter: Uint8Array,
  endOfHead: Uint8Array,
): Generator<undefined, void, Bytes> {
  // The first boundary may open the body: the line break before it is added here.
  let held = utf8('\r\n');
  /** The bytes that stand before the mark, if they are to be kept. */
  function* readTo(mark: Uint8Array, limit?: number, tooLong = badHead): Generator<undefined, Blocks, Bytes> {
    const blocks: Blocks = [];
    let length = 0;
    for (;;) {
      const at = find(held, mark);
      length += at;
      if (limit && length > limit) throw tooLong();
      if (limit && at > 0) blocks.push(held.subarray(0, at));
      held = held.subarray(at);
      if (held.length >= mark.length) break;
      held = joinBlocks([held, yield]);
    }
    held = held.subarray(mark.length);
    return blocks;
  }

  yield* readTo(delimiter);
  for (;;) {
    const head = new TextDecoder().decode(joinBlocks(yield* readTo(endOfHead, longestHead)));
    if (head.startsWith('--')) return;
    const name = nameIn(head);
    const limit = limits.get(name);
    if (parts.has(name)) throw new EnvelopeError(400, name, 'is there twice');
    const tooLong = () => new EnvelopeError(413, name, `exceeds ${limit} bytes`);
    parts.set(name, yield* readTo(delimiter, limit, tooLong));
  }
}

/** The name of a part. The head begins with what stands behind the boundary on its line. */
function nameIn(head: string): string {
  // A line that begins with hyphens is a boundary, and any other encoding would alter the bytes.
  const lines =
    /^[\t ]*(\r\n(?!--|content-transfer-encoding:(?!\s*(7bit|8bit|binary)\s*(\r|$)))[^\r\n:]+:[^\r\n]*)+$/i;
  if (!lines.test(head)) throw badHead();
  const name = parameterOf(head, /\r\ncontent-disposition:\s*form-data\s*(;.*)/i, 'name');
  if (name === undefined) throw malformed('a part has no name');
  return name;
}

/** The value of a parameter, as in `; name="event"; filename=x`; undefined where it is not there once. */
function parameterOf(text: string, parametersIn: RegExp, key: string): string | undefined {
  const [, parameters = ''] = parametersIn.exec(text) ?? [];
  const values: string[] = [];
  const parameter = /;\s*([^=;\s]+)=("(?:\\.|[^"\\])*"|[^";\s]+)\s*/gy;
  const rest = parameters.replaceAll(parameter, (_, name: string, value: string) => {
    if (name.toLowerCase() === key) values.push(value.replaceAll('"', ''));
    return '';
  });
  return rest || values.length > 1 ? undefined : values[0];
}

/** Where the mark begins, or where one may begin that the next bytes would complete. */
function find(bytes: Uint8Array, mark: Uint8Array): number {
  let at = bytes.indexOf(13);
  while (at >= 0 && !mark.every((byte, i) => at + i >= bytes.length || bytes[at + i] === byte)) {
    at = bytes.indexOf(13, at + 1);
  }
  return at < 0 ? bytes.length : at;
}
