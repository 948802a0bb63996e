import { deflateSync } from 'node:zlib';

export function png(width: number, height: number, padding = 0): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 0], 8);
  const rows = deflateSync(Buffer.alloc((width + 1) * height));
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('tEXt', Buffer.alloc(padding, 'a')),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  // The checksum is not verified here.
  return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)]);
}
