import { useEffect, useState, type Dispatch, type StateUpdater } from 'preact/hooks';

const key = 'platform-console-drafts';
/** Of the page before this one. */
const former = new Map<string, unknown>();
const present = new Map<string, unknown>();

/** State that is there again when the page has been loaded anew by itself: what is typed, and where. */
export function useDraft<T>(name: string, first: T): [T, Dispatch<StateUpdater<T>>] {
  const [value, set] = useState<T>(() => {
    const kept = former.get(name) as T | undefined;
    former.delete(name);
    return kept ?? first;
  });
  useEffect(() => {
    if (value !== undefined) present.set(name, value);
    return () => void present.delete(name);
  }, [name, value]);
  return [value, set];
}

/** For the page that comes next. */
export const keepDrafts = (): void => sessionStorage.setItem(key, JSON.stringify([...present]));

/** Nobody else has to find them there. */
export function takeDrafts(): void {
  const kept = sessionStorage.getItem(key) ?? '[]';
  sessionStorage.removeItem(key);
  for (const [name, value] of JSON.parse(kept) as [string, unknown][]) former.set(name, value);
}
