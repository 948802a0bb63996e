/** An entry for a tar archive. Its fields may be hostile. */
export interface TarEntry {
  path: string;
  content?: string | Buffer;
  /** The entry type. `0` is a regular file. */
  kind?: string;
  link?: string;
  /** Replaces the real size. */
  size?: string;
  /** Replaces the real checksum. */
  checksum?: number;
}

/** Creates a tar archive of these entries without checking them. */
export const tarOf = (entries: readonly TarEntry[]): Buffer =>
  Buffer.concat([...entries.map(entryOf), Buffer.alloc(1024)]);

function entryOf({ path, content = '', kind = '0', link = '', size, checksum }: TarEntry): Buffer {
  const body = Buffer.from(content);
  const header = Buffer.alloc(512);
  header.write(path, 0, 100);
  header.write('0000644\0', 100);
  header.write(size ?? `${body.length.toString(8).padStart(11, '0')}\0`, 124, 'latin1');
  header.write(kind, 156);
  header.write(link, 157, 100);
  header.write('ustar\u000000', 257);
  header.fill(' ', 148, 156);
  const sum = checksum ?? header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return Buffer.concat([header, body, Buffer.alloc((512 - (body.length % 512)) % 512)]);
}
