import { useState } from 'preact/hooks';
import { createCell } from '../ui/state/observable-cell.js';
import type { Output } from '../../contract/console-api.js';
import { api } from '../api/fetch-api.js';
import { takeCarried, type Carried } from '../api/carried-drafts.js';

type Preference = Output<'GET /preferences'>[number];

const preferences = new Map<string, Preference>();

/**
 * Loads the preferences from the platform. The browser cannot keep them, because the console's origin changes each time the
 * platform starts.
 */
export async function loadPreferences(): Promise<void> {
  const carried = takeCarried();
  try {
    for (const one of await api('GET /preferences')) preferences.set(one.key, one);
    for (const [key, value] of carried) {
      remember(key, value ?? undefined);
      if (preferences.has(key)) preferences.set(key, { key, value, current: false });
    }
  } catch {
    // Not reported here, because the views already show that the platform is not responding.
  }
  preferencesLoaded.set(true);
}

/**
 * Whether the preferences have been loaded. Views read their drafts on first render, so they must not render before then.
 */
export const preferencesLoaded = createCell(false);

export const preferenceKeys = (prefix: string): string[] =>
  [...preferences.keys()].filter((key) => key.startsWith(prefix));

export const preference = (key: string): unknown => preferences.get(key)?.value;

/** Whether a value was stored in this session of the platform. */
export const isCurrent = (key: string): boolean => preferences.get(key)?.current === true;

/** Returns the drafts that did not reach the platform before the session ended. */
export const undelivered = (): Carried =>
  [...lost, ...unsent].filter(isDraft).map((key) => [key, preference(key)]);

const isDraft = (key: string): boolean => key.startsWith('draft ');

/** Sends the value immediately, because the platform may restart at any time. */
export function remember(key: string, value: unknown): void {
  if (JSON.stringify(preference(key)) === JSON.stringify(value)) return;
  if (value === undefined) preferences.delete(key);
  else preferences.set(key, { key, value, current: true });
  unsent.add(key);
  void sendAll();
}

export function usePreference<T>(key: string, first: T): [T, (value: T) => void] {
  const [value, set] = useState(() => (preference(key) as T | undefined) ?? first);
  return [
    value,
    (next) => {
      set(next);
      remember(key, next);
    },
  ];
}

const unsent = new Set<string>();
/** Keys whose values have not reached the platform. */
const lost = new Set<string>();
let sending = false;

/** Sends one value at a time, so that an older value never overwrites a newer one. */
async function sendAll(): Promise<void> {
  if (sending) return;
  sending = true;
  for (const key of unsent) {
    unsent.delete(key);
    try {
      await api('PUT /preferences/{key}', { key, value: preference(key) });
      lost.delete(key);
    } catch {
      // Keeps the value on this page, which passes it on to the next session.
      lost.add(key);
    }
  }
  sending = false;
}
