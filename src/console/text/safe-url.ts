import { imageData } from '../../base/text/image-data.js';

const parse = (value: unknown, base: string): URL | undefined => {
  if (typeof value !== 'string') return undefined;
  try {
    return new URL(value, base);
  } catch {
    return undefined;
  }
};

const allow =
  (protocols: readonly string[]) =>
  (value: unknown, base: string): string | undefined => {
    const url = parse(value, base);
    return url && protocols.includes(url.protocol) ? url.href : undefined;
  };

/** Returns the complete URL, or undefined if its scheme could run code. */
export const safeLink = allow(['http:', 'https:', 'mailto:']);
export const safeFrame = allow(['http:', 'https:']);

export const safeImage = (value: unknown, base: string): string | undefined =>
  typeof value === 'string' && imageData.test(value) ? value : safeFrame(value, base);
