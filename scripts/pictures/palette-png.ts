import { crc32, deflateSync } from 'node:zlib';

export interface Pixels {
  width: number;
  height: number;
  /** Red, green, blue and alpha of each pixel. */
  data: Uint8Array;
}

const mostColors = 256;

/** A PNG file of at most 256 colours: less than half of what a browser writes. Rare colours become the nearest one. */
export function encodePalettePng({ width, height, data }: Pixels): Buffer {
  const counts = new Map<number, number>();
  for (let at = 0; at < data.length; at += 4) {
    const color = colorAt(data, at);
    counts.set(color, (counts.get(color) ?? 0) + 1);
  }
  const palette = [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, mostColors)
    .map(([color]) => color);
  const indexes = new Map([...counts.keys()].map((color) => [color, nearest(color, palette)]));

  // Each row begins with the number of its filter: 0, no filter.
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      rows[y * (width + 1) + x + 1] = indexes.get(colorAt(data, (y * width + x) * 4)) ?? 0;

  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits a pixel, of a palette.
  header.set([8, 3], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap(channels))),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const colorAt = (data: Uint8Array, at: number): number =>
  ((data[at] ?? 0) << 16) | ((data[at + 1] ?? 0) << 8) | (data[at + 2] ?? 0);

const channels = (color: number): number[] => [color >> 16, (color >> 8) & 255, color & 255];

function nearest(color: number, palette: readonly number[]): number {
  const wanted = channels(color);
  const distances = palette.map((candidate) =>
    channels(candidate).reduce((sum, channel, index) => sum + (channel - (wanted[index] ?? 0)) ** 2, 0),
  );
  return distances.indexOf(Math.min(...distances));
}

function chunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, sum]);
}
