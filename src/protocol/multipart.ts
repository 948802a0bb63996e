import { joinBlocks } from './byte-blocks.js';
import { utf8 } from './hmac.js';

/** Takes the bytes of one part, in order, in pieces that it must not keep. */
export type PartSink = (bytes: Uint8Array) => void;

export class MultipartError extends Error {}

const longestHead = 16 * 1024;
const badHead = 'the headers of a part are malformed, too long, or ask for an encoding';

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
  stream: ReadableStream<Uint8Array>,
  boundary: string,
  open: (name: string) => PartSink,
): Promise<void> {
  const delimiter = utf8(`\r\n--${boundary}`);
  const endOfHead = utf8('\r\n\r\n');
  const decoder = new TextDecoder();
  let head = '';
  const toHead: PartSink = (bytes) => {
    head += decoder.decode(bytes);
    if (head.length > longestHead) throw new MultipartError(badHead);
  };

  let sink: PartSink = () => {};
  let mark = delimiter;
  // The first boundary may open the body: the line break before it is added here.
  let held: Uint8Array = utf8('\r\n');
  let closed = false;
  const read = (bytes: Uint8Array): void => {
    held = held.length > 0 ? joinBlocks([held, bytes]) : bytes;
    while (!closed) {
      const at = find(held, mark);
      sink(held.subarray(0, at));
      held = held.subarray(at);
      if (held.length < mark.length) return;
      held = held.subarray(mark.length);
      if (mark === delimiter) {
        head = '';
        [sink, mark] = [toHead, endOfHead];
      } else if (head.startsWith('--')) {
        closed = true;
      } else if (head.includes(`\r\n--${boundary}`)) {
        throw new MultipartError(badHead);
      } else [sink, mark] = [open(nameIn(head)), delimiter];
    }
    held = held.subarray(held.length);
  };

  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) read(next.value);
  } catch (error) {
    await reader.cancel().catch(() => {});
    throw error;
  }
  // The closing boundary is one whose head begins with two hyphens, and mostly nothing follows it.
  if (mark === endOfHead) toHead(held);
  if (!closed && !(mark === endOfHead && head.startsWith('--'))) {
    throw new MultipartError('it ends before its closing boundary');
  }
}

/** The name of a part. The head begins with what stands behind the boundary on its line. */
function nameIn(head: string): string {
  const lines = /^[\t ]*(\r\n[^\r\n:]+:[^\r\n]*)+$/;
  const encoding = /\r\ncontent-transfer-encoding:(?!\s*(7bit|8bit|binary)\s*(\r|$))/i;
  if (!lines.test(head) || encoding.test(head)) throw new MultipartError(badHead);
  const [, disposition = ''] = /\r\ncontent-disposition:\s*form-data\s*(;.*)/i.exec(head) ?? [];
  const parameter = /;\s*([^=;\s]+)=("(?:\\.|[^"\\])*"|[^";\s]+)\s*/gy;
  const names: string[] = [];
  const rest = disposition.replaceAll(parameter, (_, key: string, value: string) => {
    if (key.toLowerCase() === 'name') names.push(value.replaceAll(/^"|"$|\\(.)/g, '$1'));
    return '';
  });
  const [name, ...others] = names;
  if (rest || name === undefined || others.length > 0) throw new MultipartError('a part has no name');
  return name;
}

/** Where the mark begins, or where one may begin that the next bytes would complete. */
function find(bytes: Uint8Array, mark: Uint8Array): number {
  for (let at = bytes.indexOf(13); at >= 0; at = bytes.indexOf(13, at + 1)) {
    let end = at;
    while (end < bytes.length && end - at < mark.length && bytes[end] === mark[end - at]) end += 1;
    if (end === bytes.length || end - at === mark.length) return at;
  }
  return bytes.length;
}
