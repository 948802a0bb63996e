export interface HexRow {
  offset: string;
  hex: string;
  text: string;
}

export const bytesPerRow = 16;

export function hexRow(bytes: Uint8Array, row: number): HexRow {
  const start = row * bytesPerRow;
  const slice = [...bytes.subarray(start, start + bytesPerRow)];
  const pairs = slice.map((byte) => byte.toString(16).padStart(2, '0'));
  const half = bytesPerRow / 2;
  return {
    offset: start.toString(16).padStart(8, '0'),
    hex: `${pairs.slice(0, half).join(' ')}  ${pairs.slice(half).join(' ')}`.padEnd(bytesPerRow * 3),
    text: slice.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·')).join(''),
  };
}
