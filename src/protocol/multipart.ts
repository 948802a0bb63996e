/** Takes the bytes of one part, in order, in pieces that it must not keep. */
export type PartSink = (bytes: Uint8Array) => void;

export interface PartHead {
  name: string;
  filename?: string;
}

export class MultipartError extends Error {
  override readonly name = 'MultipartError';
}

const headLimit = 16 * 1024;
const crlf = '\r\n';
const ascii = new TextEncoder();

/** The boundary of a `multipart/form-data` content type; undefined for any other type. */
export function boundaryOf(contentType: string | null): string | undefined {
  const [type, ...parameters] = (contentType ?? '').split(';');
  if (type?.trim().toLowerCase() !== 'multipart/form-data') return undefined;
  for (const parameter of parameters) {
    const match = /^\s*boundary=(?:"([^"]{1,70})"|([^\s"]{1,70}))\s*$/i.exec(parameter);
    if (match) return match[1] ?? match[2];
  }
  return undefined;
}

/**
 * Reads a multipart body as it comes. `open` is called once a part and says where its bytes go;
 * what it throws ends the reading.
 */
export async function readMultipart(
  stream: ReadableStream<Uint8Array>,
  boundary: string,
  open: (head: PartHead) => PartSink,
): Promise<void> {
  const source = createByteSource(stream);
  try {
    const delimiter = ascii.encode(`${crlf}--${boundary}`);
    const endOfHead = ascii.encode(crlf + crlf);
    const endOfBody = ascii.encode('--');
    await source.until(delimiter, discard());
    while (!(await source.skip(endOfBody))) {
      const head = limited(headLimit);
      await source.until(endOfHead, head.sink);
      await source.until(delimiter, open(parseHead(head.text())));
    }
    await source.drain(discard());
  } catch (error) {
    await source.cancel();
    throw error;
  }
}

/** What stands before the first and after the last delimiter means nothing, but has an end. */
function discard(): PartSink {
  let size = 0;
  return (bytes) => {
    size += bytes.length;
    if (size > headLimit) throw new MultipartError('There is too much text outside of the parts.');
  };
}

function limited(limit: number): { sink: PartSink; text(): string } {
  let text = '';
  const decoder = new TextDecoder();
  return {
    sink(bytes) {
      text += decoder.decode(bytes, { stream: true });
      if (text.length > limit) throw new MultipartError('The headers of a part are too long.');
    },
    text: () => text,
  };
}

function parseHead(text: string): PartHead {
  const [padding, ...lines] = text.split(crlf);
  if (padding?.trim()) throw new MultipartError('A boundary is followed by other text on its line.');
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon < 1) throw new MultipartError('A header of a part has no colon.');
    headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  const encoding = headers.get('content-transfer-encoding')?.toLowerCase() ?? 'binary';
  if (!['binary', '8bit', '7bit'].includes(encoding)) {
    throw new MultipartError(`The transfer encoding "${encoding}" of a part is not understood.`);
  }
  const disposition = headers.get('content-disposition') ?? '';
  const name = dispositionParameter(disposition, 'name');
  const filename = dispositionParameter(disposition, 'filename');
  if (!/^form-data\s*;/i.test(disposition) || name === undefined) {
    throw new MultipartError('A part has no name.');
  }
  return { name, ...(filename !== undefined && { filename }) };
}

function dispositionParameter(disposition: string, key: string): string | undefined {
  const pattern = /;\s*([\w*-]+)=(?:"((?:[^"\\]|\\.)*)"|([^;"]*))/g;
  for (const [, name, quoted, bare] of disposition.matchAll(pattern)) {
    if (name?.toLowerCase() === key) return quoted?.replaceAll(/\\(.)/g, '$1') ?? bare?.trim();
  }
  return undefined;
}

interface ByteSource {
  /** Hands on everything before the mark, and passes the mark. */
  until(mark: Uint8Array, sink: PartSink): Promise<void>;
  /** Passes the bytes if they come next. */
  skip(next: Uint8Array): Promise<boolean>;
  drain(sink: PartSink): Promise<void>;
  cancel(): Promise<void>;
}

function createByteSource(stream: ReadableStream<Uint8Array>): ByteSource {
  const reader = stream.getReader();
  // A body may begin with its first boundary: the line break before it is added here.
  let held = ascii.encode(crlf) as Uint8Array;

  const more = async (): Promise<boolean> => {
    const { value } = await reader.read();
    if (!value) return false;
    held = held.length === 0 ? value : joined(held, value);
    return true;
  };

  return {
    async until(mark, sink) {
      for (;;) {
        const at = find(held, mark);
        if (at > 0) sink(held.subarray(0, at));
        held = held.subarray(at);
        if (held.length >= mark.length) {
          held = held.subarray(mark.length);
          return;
        }
        if (!(await more())) throw new MultipartError('The body ends before its closing boundary.');
      }
    },
    async skip(next) {
      while (held.length < next.length) {
        if (!(await more())) throw new MultipartError('The body ends before its closing boundary.');
      }
      const found = next.every((byte, i) => byte === held[i]);
      if (found) held = held.subarray(next.length);
      return found;
    },
    async drain(sink) {
      do {
        sink(held);
        held = held.subarray(held.length);
      } while (await more());
    },
    cancel: () => reader.cancel().catch(() => undefined),
  };
}

/** Where the mark begins, or where a mark may begin that the next bytes would complete. */
function find(bytes: Uint8Array, mark: Uint8Array): number {
  const first = mark[0] ?? 0;
  for (let at = bytes.indexOf(first); at !== -1; at = bytes.indexOf(first, at + 1)) {
    let length = 1;
    while (length < mark.length && at + length < bytes.length && bytes[at + length] === mark[length]) {
      length += 1;
    }
    if (length === mark.length || at + length === bytes.length) return at;
  }
  return bytes.length;
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
