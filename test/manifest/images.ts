const number = (value: number, bytes: number): Buffer => {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer;
};

/** The beginning of a PNG file: as much as tells its size. */
export const png = (width: number, height: number): Buffer =>
  Buffer.concat([
    Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
    number(width, 4),
    number(height, 4),
    Buffer.from('0802000000', 'hex'),
  ]);

/** The beginning of a JPEG file, with a comment before the frame. */
export const jpeg = (width: number, height: number): Buffer =>
  Buffer.concat([
    Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'),
    Buffer.from('fffe0007', 'hex'),
    Buffer.from('hello'),
    Buffer.from('ffc0001108', 'hex'),
    number(height, 2),
    number(width, 2),
    Buffer.from('03011100021101031101', 'hex'),
  ]);
