import { imageData } from '../../base/text/image-data.js';

const scheme = /^([a-z][a-z0-9+.-]*):/i;
const safe = /^(?:https?|mailto)$/i;

/**
 * Whether a URL is relative or uses http, https or mailto. Browsers ignore control characters and spaces in the scheme of a URL.
 */
export function isSafeAddress(url: string): boolean {
  const plain = url.replace(/[\p{Cc}\s]/gu, '');
  const [, found] = scheme.exec(plain) ?? [];
  return found === undefined || safe.test(found) || imageData.test(plain);
}
