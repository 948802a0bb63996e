/** The unit in which the platform and a script's process exchange data. A frame is part of a message. */
export interface Frame {
  kind: FrameKind;
  exchange: number;
  /** Any JSON value. */
  head: unknown;
  body: Uint8Array<ArrayBuffer>;
}

export type FrameKind = (typeof kinds)[number];

/**
 * `whole`: a message's complete head and body. `head`, `data`, `end`: a message that is sent in several parts. `room`: how many
 * more bytes the other side may send. `abort`: the reason for aborting the exchange.
 */
const kinds = ['whole', 'head', 'data', 'end', 'room', 'abort'] as const;

/** The bytes of a frame header: the seal, the total length, the kind, the exchange and the length of the head. */
const PREFIX = 17;
const LARGEST = 1024 * 1024;

export const noBytes = new Uint8Array(0);

/**
 * The seal is a number that only the two sides know. The script can write to the pipe too. Without the seal, a few
 * bytes written by the script could be mistaken for the start of a long frame, and the following frames would be
 * lost.
 */
export function encodeFrame(
  seal: number,
  kind: FrameKind,
  exchange: number,
  head: unknown = null,
  body: Uint8Array = noBytes,
): Buffer {
  const text = JSON.stringify(head);
  const headLength = Buffer.byteLength(text);
  const length = PREFIX + headLength + body.length;
  if (length > LARGEST) throw new RangeError(`A message head of ${headLength} bytes is too large.`);
  const frame = Buffer.allocUnsafe(length);
  frame.writeUInt32LE(seal, 0);
  frame.writeUInt32LE(length, 4);
  frame.writeUInt8(kinds.indexOf(kind), 8);
  frame.writeUInt32LE(exchange, 9);
  frame.writeUInt32LE(headLength, 13);
  frame.write(text, PREFIX);
  frame.set(body, PREFIX + headLength);
  return frame;
}

/**
 * Reads frames from bytes as they arrive. Throws if the data is not a valid frame. The frame bodies are views of
 * those bytes, not copies.
 */
export function createFrameReader(
  isSeal: (seal: number) => boolean,
  take: (frame: Frame) => void,
): (chunk: Buffer) => void {
  let waiting: Buffer[] = [];
  let length = 0;
  let wanted = PREFIX;

  return (chunk) => {
    waiting.push(chunk);
    length += chunk.length;
    if (length < wanted) return;
    const bytes = waiting.length === 1 ? chunk : Buffer.concat(waiting, length);
    let at = 0;
    wanted = PREFIX;
    while (bytes.length - at >= PREFIX) {
      if (!isSeal(bytes.readUInt32LE(at))) throw new RangeError('The bytes are not a frame.');
      const size = bytes.readUInt32LE(at + 4);
      if (size < PREFIX || size > LARGEST) throw new RangeError(`A frame of ${size} bytes is too large.`);
      wanted = size;
      if (bytes.length - at < size) break;
      take(decode(bytes, at, at + size));
      at += size;
      wanted = PREFIX;
    }
    waiting = at < bytes.length ? [bytes.subarray(at)] : [];
    length = bytes.length - at;
  };
}

function decode(bytes: Buffer, start: number, end: number): Frame {
  const kind = kinds[bytes.readUInt8(start + 8)];
  const body = start + PREFIX + bytes.readUInt32LE(start + 13);
  if (!kind || body > end) throw new RangeError('The frame is damaged.');
  return {
    kind,
    exchange: bytes.readUInt32LE(start + 9),
    head: JSON.parse(bytes.toString('utf8', start + PREFIX, body)),
    body: bytes.subarray(body, end) as Uint8Array<ArrayBuffer>,
  };
}
