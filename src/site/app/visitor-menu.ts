import type { Client } from './client.js';
import { safeLink } from '../../console/text/safe-url.js';
import { newVisitor } from './visit.js';

export interface ShownVisitor {
  signIn?: string;
  claims?: Record<string, unknown>;
  /** Whether each of the page's conditions holds. */
  holds: boolean[];
  /** The URL of the console's calls. */
  calls: string;
}

/** Shows which visitor is reading the page, and lets the reader choose another one. Claims come only from the script. */
export function openVisitorMenu(visitor: ShownVisitor, client: Client): void {
  const menu = document.querySelector<HTMLDetailsElement>('.visitor');
  const parts = {
    name: menu?.querySelector('.visitor-name'),
    claims: menu?.querySelector<HTMLElement>('.visitor-claims'),
    signIn: menu?.querySelector<HTMLAnchorElement>('.visitor-sign-in'),
    signOut: menu?.querySelector<HTMLButtonElement>('.visitor-sign-out'),
    another: menu?.querySelector<HTMLButtonElement>('.visitor-another'),
  };
  const { name, claims, signIn, signOut, another } = parts;
  if (!menu || !name || !claims || !signIn || !signOut || !another) return;
  const href = visitor.signIn === undefined ? undefined : safeLink(visitor.signIn, location.href);
  if (href !== undefined) signIn.href = href;
  signIn.hidden = href === undefined || visitor.claims !== undefined;
  signOut.hidden = visitor.claims === undefined;
  another.hidden = visitor.claims !== undefined;
  claims.hidden = visitor.claims === undefined;
  claims.textContent = JSON.stringify(visitor.claims, null, 2);
  name.textContent = visitor.claims ? 'Signed in' : 'Anonymous';
  menu.hidden = false;

  signOut.addEventListener('click', () => {
    void client.post('sign-out', {}).then(() => location.reload());
  });
  another.addEventListener('click', () => {
    newVisitor();
    location.reload();
  });
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Node && !menu.contains(target)) menu.open = false;
  });
  menu.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return;
    menu.open = false;
    menu.querySelector('summary')?.focus();
  });
}
