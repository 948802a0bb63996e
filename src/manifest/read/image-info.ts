import { closeSync, openSync, readSync } from 'node:fs';

export interface ImageInfo {
  format: 'png' | 'jpeg' | 'gif' | 'webp' | 'svg';
  /** In pixels. For an SVG file, the size is read from the viewBox, if there is one. */
  width?: number;
  height?: number;
}

/** Reads `length` bytes at an offset, or fewer at the end of the file. */
type ReadBytes = (offset: number, length: number) => Buffer;

/** Reads the format and size of an image from its first bytes. The file's name does not matter. */
export function readImageInfo(file: string): ImageInfo | undefined {
  let descriptor: number | undefined;
  try {
    const opened = (descriptor = openSync(file, 'r'));
    return detectImage((offset, length) => {
      const buffer = Buffer.alloc(length);
      return buffer.subarray(0, readSync(opened, buffer, 0, length, offset));
    });
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

export function detectImage(read: ReadBytes): ImageInfo | undefined {
  const head = read(0, 32);
  return readPng(head) ?? readGif(head) ?? readWebp(head) ?? readJpeg(head, read) ?? readSvg(head, read);
}

const text = (bytes: Buffer, start: number, end: number): string => bytes.toString('latin1', start, end);

function readPng(head: Buffer): ImageInfo | undefined {
  if (head.length < 24 || text(head, 0, 8) !== '\x89PNG\r\n\x1A\n' || text(head, 12, 16) !== 'IHDR') return;
  return sized('png', head.readUInt32BE(16), head.readUInt32BE(20));
}

function readGif(head: Buffer): ImageInfo | undefined {
  if (head.length < 10 || !/^GIF8[79]a$/.test(text(head, 0, 6))) return;
  return sized('gif', head.readUInt16LE(6), head.readUInt16LE(8));
}

function readWebp(head: Buffer): ImageInfo | undefined {
  if (head.length < 30 || text(head, 0, 4) !== 'RIFF' || text(head, 8, 12) !== 'WEBP') return;
  const kind = text(head, 12, 16);
  if (kind === 'VP8X') return sized('webp', head.readUIntLE(24, 3) + 1, head.readUIntLE(27, 3) + 1);
  if (kind === 'VP8 ') return sized('webp', head.readUInt16LE(26) & 0x3f_ff, head.readUInt16LE(28) & 0x3f_ff);
  if (kind !== 'VP8L') return;
  const bits = head.readUInt32LE(21);
  return sized('webp', (bits & 0x3f_ff) + 1, ((bits >>> 14) & 0x3f_ff) + 1);
}

/** A JPEG file is a series of segments. The start-of-frame segment contains the size. */
function readJpeg(head: Buffer, read: ReadBytes): ImageInfo | undefined {
  if (head.length < 4 || head.readUInt16BE(0) !== 0xff_d8) return;
  let offset = 2;
  for (let segments = 0; segments < 1000; segments++) {
    const segment = read(offset, 9);
    if (segment.length < 9 || segment[0] !== 0xff) return;
    const marker = segment[1] ?? 0;
    if (marker === 0xff) {
      offset += 1;
      continue;
    }
    const startsFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (startsFrame) return sized('jpeg', segment.readUInt16BE(7), segment.readUInt16BE(5));
    offset += 2 + segment.readUInt16BE(2);
  }
  return;
}

function readSvg(head: Buffer, read: ReadBytes): ImageInfo | undefined {
  if (!/^(?:\xEF\xBB\xBF)?\s*</.test(text(head, 0, 32))) return;
  const source = text(read(0, 64 * 1024), 0, 64 * 1024);
  const tag = /<svg(?:\s[^<>]*)?>/.exec(source)?.[0];
  if (!tag) return;
  const box = /\sviewBox\s*=\s*["']\s*[-\d.e]+[\s,]+[-\d.e]+[\s,]+([\d.e]+)[\s,]+([\d.e]+)/.exec(tag);
  const width = /\swidth\s*=\s*["']([\d.]+)(?:px)?["']/.exec(tag)?.[1] ?? box?.[1];
  const height = /\sheight\s*=\s*["']([\d.]+)(?:px)?["']/.exec(tag)?.[1] ?? box?.[2];
  return width && height ? sized('svg', Number(width), Number(height)) : { format: 'svg' };
}

const sized = (format: ImageInfo['format'], width: number, height: number): ImageInfo | undefined =>
  width > 0 && height > 0 ? { format, width, height } : undefined;

/** A difference of one pixel is accepted, because image scaling involves rounding. */
const offBy = 1;

export const isSquare = (width: number, height: number): boolean => Math.abs(width - height) <= offBy;
export const isTwoToOne = (width: number, height: number): boolean =>
  Math.abs(width - 2 * height) <= 2 * offBy;
export const isSmaller = (length: number, wanted: number): boolean => length < wanted - offBy;
