import { useLayoutEffect, useRef } from 'preact/hooks';
import { createCell } from '../ui/state/observable-cell.js';

interface Shortcut {
  /** A single key (`j`), two keys pressed one after the other (`g e`), or a key with Ctrl or ⌘ (`mod+/`). */
  keys: string;
  run: () => void;
}

export const shortcuts = createCell<readonly Shortcut[]>([]);
export const helpOpen = createCell(false);
export const paletteOpen = createCell(false);
let before = '';
let beforeAt = 0;

export function useShortcut(keys: string, run: () => void): void {
  const latest = useRef(run);
  latest.current = run;
  // A layout effect, so that shortcuts work as soon as the view is visible.
  useLayoutEffect(() => {
    const shortcut = { keys, run: () => latest.current() };
    shortcuts.set([...shortcuts.get(), shortcut]);
    return () => shortcuts.set(shortcuts.get().filter((one) => one !== shortcut));
  }, [keys]);
}

export function listenForShortcuts(): void {
  document.addEventListener('keydown', (event) => {
    const modified = event.ctrlKey || event.metaKey;
    // A control in the view may already have handled the key, such as Escape.
    if (event.altKey || event.defaultPrevented) return;
    if (!modified && event.key !== 'Escape' && isTyping(event.target)) return;
    if (document.querySelector('dialog[open]')) return;
    const typed = event.key.length === 1 && modified ? event.key.toLowerCase() : event.key;
    const key = modified ? `mod+${typed}` : typed;
    const pair = event.timeStamp - beforeAt < 1200 ? `${before} ${key}` : key;
    before = key;
    beforeAt = event.timeStamp;
    const all = [...shortcuts.get()].reverse();
    const found = all.find(({ keys }) => keys === pair) ?? all.find(({ keys }) => keys === key);
    if (!found) return;
    event.preventDefault();
    before = '';
    found.run();
  });
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) &&
  !(target instanceof HTMLInputElement && /^(checkbox|radio|button)$/.test(target.type));
