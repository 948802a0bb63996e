import { createCell } from './observable-cell.js';

/** The integration whose images are shown, if the session runs several. */
export const imagesOf = createCell<string | undefined>(undefined);

/** The URL of an image in the project. The browser sends no key with requests for images. */
export function imageUrl(path: string, query: Record<string, string> = {}): string {
  const integration = imagesOf.get();
  const all = new URLSearchParams({ ...query, ...(integration !== undefined && { integration }) });
  return `/console/assets/${path}${all.size > 0 ? `?${all}` : ''}`;
}
