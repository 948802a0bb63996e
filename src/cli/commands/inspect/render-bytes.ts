const longest = 64 * 1024;
const rowLength = 16;
const hexLongest = 512;

/**
 * Shows text unchanged, JSON indented, and anything else in hexadecimal. Truncates long bodies, with a
 * note.
 */
export function renderBytes(bytes: Uint8Array): string[] {
  const text = decode(bytes.subarray(0, longest));
  const shown = text === undefined ? hexLongest : longest;
  const rest = bytes.length > shown ? [`… ${bytes.length - shown} more bytes`] : [];
  return [...(text === undefined ? hexRows(bytes.subarray(0, hexLongest)) : indent(text)), ...rest];
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    if (bytes.some((byte) => byte < 0x09)) return undefined;
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return undefined;
  }
}

function indent(text: string): string[] {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2).split('\n');
  } catch {
    return text.split(/\r?\n/);
  }
}

function hexRows(bytes: Uint8Array): string[] {
  const rows = Array.from({ length: Math.ceil(bytes.length / rowLength) }, (_, row) =>
    bytes.subarray(row * rowLength, (row + 1) * rowLength),
  );
  return rows.map((row, index) => {
    const offset = (index * rowLength).toString(16).padStart(6, '0');
    const hex = Array.from(row, (byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const text = Array.from(row, (byte) =>
      byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.',
    ).join('');
    return `${offset}  ${hex.padEnd(rowLength * 3 - 1)}  ${text}`;
  });
}
