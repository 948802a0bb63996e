import { keepCarried } from './carried-drafts.js';

/**
 * The key of this session. The link in the terminal contains it; then only this tab keeps it.
 * It must never be handed to another tab by a channel, a cookie or a worker: a page that another program serves on
 * this origin after the platform has ended could read it there.
 */
const storageKey = 'platform-key';

const keyPattern = /[#&]key=([\w-]+)/;

export const sessionKey = (): string | null => sessionStorage.getItem(storageKey);

export const keepKey = (key: string): void => sessionStorage.setItem(storageKey, key);

export const forgetKey = (): void => sessionStorage.removeItem(storageKey);

/** Moves the key out of the address, and reports whether there was a key. */
export function takeKey(): boolean {
  const key = keyPattern.exec(location.hash)?.[1];
  if (key === undefined) return false;
  keepKey(key);
  keepCarried(location.hash);
  history.replaceState(history.state, '', location.pathname + location.search);
  return true;
}

/** The console and the key in a pasted link. Spaces are removed, because terminals break long lines. */
export function readLink(text: string): { origin: string; key: string } | undefined {
  const link = text.replaceAll(/\s/g, '');
  const key = keyPattern.exec(link)?.[1];
  if (key === undefined || !/^http:\/\/127\.0\.0\.1:\d+[/#]/.test(link) || !URL.canParse(link))
    return undefined;
  return { origin: new URL(link).origin, key };
}
