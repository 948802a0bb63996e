import { expect, it } from 'vitest';
import { detectImage, type ImageInfo } from '../../../src/manifest/read/image-info.js';
import { jpeg, png } from '../images.js';

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');
const webp = (chunk: string): Buffer =>
  Buffer.concat([Buffer.from('RIFF'), hex('40000000'), Buffer.from('WEBP'), hex(chunk), Buffer.alloc(16)]);

it.each<[name: string, bytes: Buffer | string, info: ImageInfo | undefined]>([
  ['a PNG', png(1600, 800), { format: 'png', width: 1600, height: 800 }],
  ['a JPEG with a comment', jpeg(640, 480), { format: 'jpeg', width: 640, height: 480 }],
  ['a GIF', hex('474946383961 4001 f000 80'), { format: 'gif', width: 320, height: 240 }],
  ['a WebP', webp('56503820 00000000 300100 9d012a 4001 f000'), { format: 'webp', width: 320, height: 240 }],
  ['a lossless WebP', webp('5650384c 00000000 2f 3fc13b00'), { format: 'webp', width: 320, height: 240 }],
  ['big WebP', webp('56503858 0a000000 10000000 3f0100 ef0000'), { format: 'webp', width: 320, height: 240 }],
  ['sized SVG', '<svg width="48" height="24px" viewBox="0 0 1 1">', { format: 'svg', width: 48, height: 24 }],
  [
    'an SVG with a viewBox',
    '<?xml version="1.0"?>\n<!-- x -->\n<svg viewBox="0 0 48 24">',
    { format: 'svg', width: 48, height: 24 },
  ],
  ['an SVG without a size', '<svg xmlns="http://www.w3.org/2000/svg">', { format: 'svg' }],
  ['an SVG sized in percent', '<svg width="100%" height="100%">', { format: 'svg' }],
  ['an empty file', '', undefined],
  ['a text file', 'icon', undefined],
  ['a web page', '<!doctype html><html></html>', undefined],
  ['a truncated PNG', png(1, 1).subarray(0, 20), undefined],
  ['a PNG without a width', png(0, 10), undefined],
  ['a truncated JPEG', jpeg(640, 480).subarray(0, 24), undefined],
  ['a BMP', Buffer.from('BM      '), undefined],
])('reads the format and size of %s if it is a supported image', (_, content, info) => {
  const bytes = Buffer.from(content);
  expect(detectImage((offset, length) => bytes.subarray(offset, offset + length))).toEqual(info);
});
