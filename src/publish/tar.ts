export interface TarFile {
  /** With `/`, relative. */
  path: string;
  bytes: Uint8Array;
}

const block = 512;

/** A tar archive (ustar). The same files give the same bytes: no times, no owners. */
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
  bytes.write('        ', 148);
  bytes.write('0', 156);
  bytes.write('ustar\u000000', 257);
  bytes.write(prefix, 345, 155);
  const sum = bytes.reduce((total, byte) => total + byte, 0);
  bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return bytes;
}

/** A name of more than 100 bytes goes on in a second field, cut at a slash. */
function splitPath(path: string): [prefix: string, name: string] {
  if (Buffer.byteLength(path) <= 100) return ['', path];
  const cut = [...path.matchAll(/\//g)].find(({ index }) => Buffer.byteLength(path.slice(index + 1)) <= 100);
  const at = cut?.index ?? -1;
  if (at < 0 || Buffer.byteLength(path.slice(0, at)) > 155)
    throw new RangeError(`The path ${path} is too long.`);
  return [path.slice(0, at), path.slice(at + 1)];
}

/** The plain files of an archive. Throws where it is none. */
export function readTar(bytes: Uint8Array): TarFile[] {
  const archive = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const files: TarFile[] = [];
  for (let at = 0; at + block <= archive.length && archive[at] !== 0;) {
    const text = (from: number, length: number): string =>
      archive.toString('utf8', at + from, at + from + length).split('\0')[0] ?? '';
    const size = Number.parseInt(text(124, 12).trim(), 8);
    if (text(257, 5) !== 'ustar' || !(size >= 0) || at + block + size > archive.length) {
      throw new RangeError('This is no tar archive, or a part of one.');
    }
    const path = [text(345, 155), text(0, 100)].filter(Boolean).join('/');
    if (text(156, 1) === '0' || text(156, 1) === '') {
      files.push({ path, bytes: new Uint8Array(archive.subarray(at + block, at + block + size)) });
    }
    at += block + Math.ceil(size / block) * block;
  }
  return files;
}
