import { keepCarried } from './carried-drafts.js';

/**
 * This session's key. The link in the terminal contains the key. Once the link has been opened, only this tab stores the
 * key. Never pass the key to another tab through a channel, a cookie or a worker. After the platform has stopped, another
 * program could serve a page on this origin and read the key from there.
 */
const storageKey = 'platform-key';

const keyPattern = /[#&]key=([\w-]+)/;

export const sessionKey = (): string | null => sessionStorage.getItem(storageKey);

export const keepKey = (key: string): void => sessionStorage.setItem(storageKey, key);

export const forgetKey = (): void => sessionStorage.removeItem(storageKey);

/** Removes the key from the URL, and returns whether there was one. */
export function takeKey(): boolean {
  const key = keyPattern.exec(location.hash)?.[1];
  if (key === undefined) return false;
  keepKey(key);
  keepCarried(location.hash);
  // Without the time with which a page is loaded again.
  history.replaceState(history.state, '', location.pathname + location.search.replace(/^\?\d+$/, ''));
  return true;
}

/** Reads the console's URL and the key from a pasted link. Removes spaces, because terminals break long lines. */
export function readLink(text: string): { origin: string; key: string } | undefined {
  const link = text.replaceAll(/\s/g, '');
  const key = keyPattern.exec(link)?.[1];
  if (key === undefined || !/^http:\/\/127(?:\.\d{1,3}){3}:\d+[/?#]/.test(link) || !URL.canParse(link))
    return undefined;
  return { origin: new URL(link).origin, key };
}
