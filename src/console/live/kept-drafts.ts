import { useLayoutEffect, useState, type Dispatch, type StateUpdater } from 'preact/hooks';
import { connection } from '../api/session-state.js';
import { isCurrent, preference, remember } from './preferences.js';

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

/**
 * Returns a draft from an earlier session, or from this tab before it was reloaded. A new tab must not open the dialogs of
 * another tab.
 */
function leftBehind(key: string): unknown {
  return !isCurrent(key) || isReload() || keptWhileAway.has(key) ? preference(key) : undefined;
}

/** Removes a draft when its view is closed, unless the platform is not responding and could not store it. */
function leave(key: string): void {
  if (connection.get() !== 'live') {
    keptWhileAway.add(key);
    return;
  }
  keptWhileAway.delete(key);
  remember(key, undefined);
}

const keptWhileAway = new Set<string>();

const isReload = (): boolean =>
  performance.getEntriesByType('navigation').some((one) => 'type' in one && one.type === 'reload');
