import type { PageData } from '../block-data.js';
import type { Client } from './client.js';

/** Identifies this browser on this site. Cleared when the platform restarts. */
export function visitorId(): string {
  const known = localStorage.getItem('visitor');
  if (known !== null) return known;
  const id = crypto.randomUUID();
  localStorage.setItem('visitor', id);
  return id;
}

/** Makes the next view count as a new visitor's. */
export const newVisitor = (): void => localStorage.removeItem('visitor');

/** Sent once per navigation. A prefetched page counts only when a person sees it. */
export function sendView(page: PageData, client: Client): void {
  const isSame = sessionStorage.getItem('reloaded') === page.page;
  sessionStorage.removeItem('reloaded');
  if (isSame) return;
  const send = (): void =>
    void client
      .post('view', { space: page.space, page: page.page, visitor: visitorId(), referrer: document.referrer })
      .catch(() => {});
  const { prerendering = false } = document as Document & { prerendering?: boolean };
  if (prerendering) document.addEventListener('prerenderingchange', send, { once: true });
  else send();
}
