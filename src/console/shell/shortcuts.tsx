import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { createCell, useCell } from '../ui/state/observable-cell.js';
import { Dialog } from '../ui/dialog.js';

interface Shortcut {
  /** A single key (`j`), two keys pressed one after the other (`g e`), or a key with Ctrl or ⌘ (`mod+/`). */
  keys: string;
  run: () => void;
}

/** What every shortcut does, by where it works. The keys of the views come from the views themselves. */
const places: Record<string, Record<string, string>> = {
  Everywhere: { 'mod+k': 'Find anything', '?': 'Keyboard shortcuts', t: 'Next theme' },
  Calls: {
    j: 'Next call',
    k: 'Previous call',
    '/': 'Search',
    f: 'Filters',
    p: 'Pause or resume live updates',
    x: 'Clear the list',
    n: 'New request or event',
  },
  'Open call': {
    d: 'Go to the details of the call',
    '[': 'Previous tab',
    ']': 'Next tab',
    r: 'Replay the call',
    e: 'Edit and resend the call',
    Escape: 'Close the call',
  },
  Composer: { 'mod+Enter': 'Send', Escape: 'Close the composer' },
  'Pages and blocks': { 'mod+/': 'Insert a block' },
};

/** The shortcuts in all places, by their keys. */
export const shortcutWords: Record<string, string> = Object.assign({}, ...Object.values(places));

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
    // A control in the view may have already handled the key, such as Escape.
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

const modKey = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl';

export function Keys({ keys }: { keys: string }): JSX.Element {
  return (
    <span class="keys">
      {keys.split(/[ +]/).map((key, index) => (
        <kbd key={index}>{key === 'mod' ? modKey : key}</kbd>
      ))}
    </span>
  );
}

/** Lists the shortcuts of all views, so that they can be learned in one place. */
export function ShortcutHelp({ views }: { views: Record<string, string> }): JSX.Element | null {
  if (!useCell(helpOpen)) return null;
  return (
    <Dialog title="Keyboard" onClose={() => helpOpen.set(false)}>
      <div class="shortcuts" tabIndex={0}>
        {Object.entries({ ...places, Views: views }).map(([place, all]) => (
          <section key={place}>
            <h3>{place}</h3>
            <dl class="shortcut-list">
              {Object.entries(all).map(([keys, what]) => (
                <div key={keys}>
                  <dt>{what}</dt>
                  <dd>
                    <Keys keys={keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
