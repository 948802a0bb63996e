import type { JSX } from 'preact';
import { Dialog } from '../ui/dialog.js';
import { Keys } from './keys.js';
import { helpOpen } from './shortcuts.js';
import { views } from './sidebar.js';

const everywhere = {
  'mod+k': 'Find anything',
  '?': 'Keyboard shortcuts',
  t: 'Next theme',
  Escape: 'Close a dialog',
};

/** The other shortcuts, by where they work. The keys that open views come from the views themselves. */
const places: Record<string, Record<string, string>> = {
  'Pages and blocks': { 'mod+/': 'Insert a block' },
  Composer: { 'mod+Enter': 'Send', Escape: 'Close the composer' },
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
};

export const shortcutWords: Record<string, string> = Object.assign({}, everywhere, ...Object.values(places));

export function ShortcutHelp(): JSX.Element {
  const ofViews = Object.fromEntries(views.map(({ key, label }) => [`g ${key}`, label]));
  return (
    <Dialog title="Keyboard" onClose={() => helpOpen.set(false)}>
      <div class="shortcuts" tabIndex={0}>
        {Object.entries({ Everywhere: everywhere, Views: ofViews, ...places }).map(([place, all]) => (
          <section key={place}>
            <h3>{place}</h3>
            <dl class="shortcut-list">
              {Object.entries(all).map(([keys, what]) => (
                <div class="bar" key={keys}>
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
