export interface TarFile {
  /** A relative path with `/` as the separator. */
  path: string;
  bytes: Uint8Array;
}

const block = 512;

/**
 * Writes a tar archive (ustar). The archive contains no times or owners, so the same files always produce the same bytes.
 */
export function writeTar(files: readonly TarFile[]): Uint8Array {
  const parts = files.flatMap(({ path, bytes }) => [
    header(path, bytes.length),
    bytes,
    new Uint8Array((block - (bytes.length % block)) % block),
  ]);
  return Buffer.concat([...parts, new Uint8Array(block * 2)]);
}

function header(path: string, size: number): Buffer {
  const bytes = Buffer.alloc(block);
  const [prefix, name] = splitPath(path);
  bytes.write(name, 0, 100);
  bytes.write('0000644\0', 100);
  bytes.write('0000000\0', 108);
  bytes.write('0000000\0', 116);
  bytes.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  bytes.write('00000000000\0', 136);
  bytes.write('0', 156);
  bytes.write('ustar\u000000', 257);
  bytes.write(prefix, 345, 155);
  bytes.write(`${checksum(bytes).toString(8).padStart(6, '0')}\0 `, 148);
  return bytes;
}

/** If a path is longer than 100 bytes, it is split at a slash and its first part is written to a second field. */
function splitPath(path: string): [prefix: string, name: string] {
  if (Buffer.byteLength(path) <= 100) return ['', path];
  const cut = [...path.matchAll(/\//g)].find(({ index }) => Buffer.byteLength(path.slice(index + 1)) <= 100);
  const at = cut?.index ?? -1;
  if (at < 0 || Buffer.byteLength(path.slice(0, at)) > 155)
    throw new RangeError(`The path ${path} is too long.`);
  return [path.slice(0, at), path.slice(at + 1)];
}

const kinds: Record<string, string> = {
  '1': 'a hard link',
  '2': 'a symbolic link',
  '3': 'a device',
  '4': 'a device',
  '5': 'a folder',
  '6': 'a FIFO',
  S: 'a sparse file',
  L: 'a long name',
  K: 'a long name',
  x: 'an extended header (pax)',
  g: 'an extended header (pax)',
};

/** Reads an archive written by `writeTar`. Throws a RangeError for any other archive. */
export function readTar(bytes: Uint8Array, { maxFiles = Infinity } = {}): TarFile[] {
  const archive = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const files: TarFile[] = [];
  let at = 0;
  for (; archive[at] !== 0;) {
    if (at + block > archive.length) throw new RangeError('it is truncated, or is not a tar archive');
    const { path, kind, size } = readHeader(archive.subarray(at, at + block));
    if (kind !== '0' && kind !== '')
      throw new RangeError(`"${path}" is ${kinds[kind] ?? 'not a plain file'}; only plain files are allowed`);
    const start = at + block;
    if (start + size > archive.length) throw new RangeError(`it is truncated in "${path}"`);
    files.push({ path, bytes: new Uint8Array(archive.subarray(start, start + size)) });
    if (files.length > maxFiles) throw new RangeError(`it has more than ${maxFiles} files ("${path}")`);
    at = start + Math.ceil(size / block) * block;
  }
  if (archive.subarray(at).some((byte) => byte !== 0))
    throw new RangeError('it contains data after the end-of-archive marker');
  return files;
}

function readHeader(header: Buffer): { path: string; kind: string; size: number } {
  const text = (from: number, length: number): string =>
    header.toString('utf8', from, from + length).split('\0')[0] ?? '';
  const octal = (from: number, length: number): number => {
    const digits = text(from, length).trim();
    return /^[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : Number.NaN;
  };
  const path = [text(345, 155), text(0, 100)].filter(Boolean).join('/');
  if (text(257, 5) !== 'ustar' || octal(148, 8) !== checksum(header))
    throw new RangeError('it is not a tar archive, or is corrupt');
  const size = octal(124, 12);
  if (!(size >= 0)) throw new RangeError(`"${path}" has no valid size`);
  return { path, kind: text(156, 1), size };
}

/** Returns the header's checksum, computed with the checksum field itself filled with spaces. */
const checksum = (header: Buffer): number =>
  header.reduce((sum, byte, index) => sum + (index >= 148 && index < 156 ? 32 : byte), 0);
