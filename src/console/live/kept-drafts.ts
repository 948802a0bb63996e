import { useLayoutEffect, useState, type Dispatch, type StateUpdater } from 'preact/hooks';
import { leave, leftBehind, remember } from './preferences.js';

/** State that survives a restart of the platform, such as text that the user has typed. */
export function useDraft<T>(name: string, first: T): [T, Dispatch<StateUpdater<T>>] {
  const key = `draft ${name}`;
  const [draft] = useState(() => ({ first, kept: leftBehind(key) as T | undefined, changed: false }));
  const [value, set] = useState<T>(draft.kept ?? first);
  useLayoutEffect(() => {
    draft.changed ||= draft.kept !== undefined || value !== draft.first;
    if (draft.changed) remember(key, value === draft.first ? undefined : value);
  }, [key, value]);
  useLayoutEffect(() => () => void (draft.changed && leave(key)), [key]);
  return [value, set];
}
