import { joinBlocks } from './byte-blocks.js';
import { EnvelopeError } from './envelope-error.js';
import { utf8 } from './hmac.js';

/** Takes the bytes of one part, in order. */
export type PartSink = (bytes: Uint8Array<ArrayBuffer>) => void;

const longestHead = 16 * 1024;

/** The boundary of a `multipart/form-data` content type; undefined for any other type. */
export function boundaryOf(contentType: string | null): string | undefined {
  const [, quoted, bare] =
    /^\s*multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"]{1,70})"|([^\s";]{1,70}))\s*(?:;|$)/i.exec(
      contentType ?? '',
    ) ?? [];
  return quoted ?? bare;
}

/**
 * Reads a multipart body as it comes. `open` is called once a part and says where its bytes go;
 * what it throws ends the reading.
 */
export async function readMultipart(
  blocks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  boundary: string,
  open: (name: string) => PartSink,
): Promise<void> {
  const endOfHead = utf8('\r\n\r\n');
  const reading = readParts(boundary, endOfHead, open);
  reading.next();
  for await (const block of blocks) reading.next(block);
  // The closing boundary is read as a head, which mostly nothing follows.
  if (!reading.next(endOfHead).done) throw malformed('it ends before its closing boundary');
}

/** Is done at the closing boundary; takes a block whenever it needs more bytes. */
function* readParts(
  boundary: string,
  endOfHead: Uint8Array,
  open: (name: string) => PartSink,
): Generator<undefined, void, Uint8Array> {
  // The first boundary may open the body: the line break before it is added here.
  let held = utf8('\r\n');
  function* readTo(mark: Uint8Array, sink: PartSink): Generator<undefined, void, Uint8Array> {
    for (;;) {
      const at = find(held, mark);
      if (at > 0) sink(held.subarray(0, at));
      held = held.subarray(at);
      if (held.length >= mark.length) break;
      held = joinBlocks([held, yield]);
    }
    held = held.subarray(mark.length);
  }

  const delimiter = utf8(`\r\n--${boundary}`);
  yield* readTo(delimiter, () => {});
  for (;;) {
    let head = '';
    yield* readTo(endOfHead, (bytes) => {
      head += new TextDecoder().decode(bytes);
      if (head.length > longestHead) throw badHead();
    });
    if (head.startsWith('--')) return;
    yield* readTo(delimiter, open(nameIn(head)));
  }
}

const malformed = (why: string): EnvelopeError =>
  new EnvelopeError(400, 'body', `is no whole multipart body: ${why}`);

const badHead = (): EnvelopeError =>
  malformed('the headers of a part are malformed, too long, or ask for an encoding');

/** The name of a part. The head begins with what stands behind the boundary on its line. */
function nameIn(head: string): string {
  // A line that begins with hyphens is a boundary.
  const lines = /^[\t ]*(\r\n(?!--)[^\r\n:]+:[^\r\n]*)+$/;
  const encoding = /\r\ncontent-transfer-encoding:(?!\s*(7bit|8bit|binary)\s*(\r|$))/i;
  if (!lines.test(head) || encoding.test(head)) throw badHead();
  const [, disposition = ''] = /\r\ncontent-disposition:\s*form-data\s*(;.*)/i.exec(head) ?? [];
  const parameter = /;\s*([^=;\s]+)=("(?:\\.|[^"\\])*"|[^";\s]+)\s*/gy;
  const names: string[] = [];
  const rest = disposition.replaceAll(parameter, (_, key: string, value: string) => {
    if (key.toLowerCase() === 'name') names.push(value.replaceAll('"', ''));
    return '';
  });
  const [name, ...others] = names;
  if (rest || name === undefined || others.length > 0) throw malformed('a part has no name');
  return name;
}

/** Where the mark begins, or where one may begin that the next bytes would complete. */
function find(bytes: Uint8Array, mark: Uint8Array): number {
  let at = bytes.indexOf(13);
  while (at >= 0 && !mark.every((byte, i) => at + i >= bytes.length || bytes[at + i] === byte)) {
    at = bytes.indexOf(13, at + 1);
  }
  return at < 0 ? bytes.length : at;
}
