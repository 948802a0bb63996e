import type { JSX } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import type { CallLine } from '../../contract/routes/calls.js';
import type { PlatformResource } from '../../contract/routes/overview.js';
import { api } from '../api/fetch-api.js';
import { callTitle, outcomeWords } from '../calls/detail/describe-call.js';
import { errorMessage } from '../../base/text/error-message.js';
import { composerAsked } from '../calls/compose/composer-asked.js';
import { eventTypes } from '../calls/compose/event-schemas.js';
import { composeEvent } from '../calls/compose/kept-call.js';
import { installedIn } from '../live/where-installed.js';
import { Marked } from '../text/marked.js';
import { formatDuration, formatTime } from '../text/format.js';
import { showControls } from '../text/show-controls.js';
import { Dialog } from '../ui/dialog.js';
import { useCell } from '../ui/state/observable-cell.js';
import { showToast } from '../ui/toasts.js';
import { Status } from '../ui/status.js';
import { go } from '../shell/navigation.js';
import { Keys } from '../shell/keys.js';
import { shortcutWords } from '../shell/shortcut-help.js';
import { paletteOpen, shortcuts } from '../shell/shortcuts.js';
import { views } from '../shell/sidebar.js';

const mostShown = 30;

const mostRecent = 4;
/** The titles of the items that were chosen last. */
let recentTitles: string[] = [];

interface Item {
  group: string;
  title: string;
  keys?: string;
  call?: CallLine;
  run: () => void;
}

interface PaletteProps {
  platform: PlatformResource;
  failed: number;
}

export function Palette({ platform, failed }: PaletteProps): JSX.Element {
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState(0);
  const actions = useCell(shortcuts);
  const found = useFound(typed.trim());
  const pages = usePages(platform, typed.trim() !== '');
  const id = useId();
  const close = (): void => paletteOpen.set(false);
  const words = typed.toLowerCase().split(/\s+/);
  const items = [
    ...viewItems,
    ...callActions(failed > 0),
    ...actionsOf(actions),
    ...placesOf(platform),
    ...propertiesOf(platform),
    ...pages,
  ].filter(({ group, title }) => words.every((word) => `${group} ${title}`.toLowerCase().includes(word)));
  const recent = typed === '' ? items.filter(({ title }) => recentTitles.includes(title)) : [];
  const shown = [
    ...recent
      .toSorted((a, b) => recentTitles.indexOf(a.title) - recentTitles.indexOf(b.title))
      .map((item) => ({ ...item, group: 'Recent' })),
    ...items.filter((item) => !recent.includes(item)),
    ...found,
  ].slice(0, mostShown);
  const nothing = shown.length === 0;
  if (nothing) shown.push(searchOfCalls(typed.trim(), 'Search calls for'));
  const at = Math.min(active, shown.length - 1);
  const choose = (item: Item | undefined): void => {
    if (!item) return;
    recentTitles = [item.title, ...recentTitles.filter((title) => title !== item.title)].slice(0, mostRecent);
    close();
    // Runs the item after the palette closes, because closing a dialog restores the focus.
    setTimeout(item.run);
  };
  useEffect(() => {
    document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' });
  }, [at, id]);

  return (
    <Dialog title="Find" onClose={close}>
      <div class="stack tight palette">
        <input
          class="control"
          role="combobox"
          aria-label="Find views, pages, calls, blocks, properties, endpoints, events, installations and actions"
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={`${id}-${at}`}
          autocomplete="off"
          spellcheck={false}
          placeholder="Search views, pages, properties, endpoints and calls"
          value={typed}
          onInput={(event) => {
            setTyped(event.currentTarget.value);
            setActive(0);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter') choose(shown[at]);
            else if (event.key === 'ArrowDown') setActive((at + 1) % shown.length);
            else if (event.key === 'ArrowUp') setActive((at + shown.length - 1) % shown.length);
            else return;
            event.preventDefault();
          }}
        />
        {nothing && (
          <p class="quiet" role="status">
            Nothing found. The list of calls also searches headers, bodies and logs.
          </p>
        )}
        <ul class="palette-list" id={id} role="listbox" aria-label="Found">
          {shown.map((item, index) => (
            <li
              class={index === at ? 'bar pick option active' : 'bar pick option'}
              key={item.group + item.title + item.call?.id}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === at}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(item)}
            >
              <span class="quiet small palette-group">
                <span class={item.group === shown[index - 1]?.group ? 'only-read-aloud' : undefined}>
                  {item.group}
                </span>
              </span>
              <span class="grow cut">
                <Marked text={showControls(item.title)} words={words} />
                {item.call && (
                  <span class="palette-detail cut quiet small">
                    <span class="mono">{item.call.id}</span>{' '}
                    {showControls(
                      [formatDuration(item.call.durationMs), item.call.reason].filter(Boolean).join(' · '),
                    )}
                  </span>
                )}
              </span>
              {item.call && <FoundCall {...item.call} />}
              {item.keys !== undefined && <Keys keys={item.keys} />}
            </li>
          ))}
        </ul>
        <p class="palette-keys quiet small" aria-hidden="true">
          <kbd>↑</kbd> <kbd>↓</kbd> choose <kbd>Enter</kbd> open <kbd>Esc</kbd> close
        </p>
      </div>
    </Dialog>
  );
}

function FoundCall(call: CallLine): JSX.Element {
  const { tone, text } = outcomeWords(call);
  return (
    <>
      <Status tone={tone}>{text}</Status>
      <span class="quiet number small">{formatTime(call.time)}</span>
    </>
  );
}

/** The list of calls also searches bodies and logs, and can be filtered further. */
const searchOfCalls = (search: string, what: string): Item => ({
  group: 'Calls',
  title: `${what} “${search}”`,
  run: () => go({ view: 'calls', filter: { search } }),
});

const callActions = (anyFailed: boolean): Item[] => [
  ...(anyFailed
    ? [
        { group: 'Action', title: 'Open the latest failed call', run: () => void openFailed(false) },
        { group: 'Action', title: 'Replay the latest failed call', run: () => void openFailed(true) },
      ]
    : []),
  {
    group: 'Action',
    title: shortcutWords.n ?? '',
    run: () => {
      composerAsked.set(composerAsked.get() + 1);
      go({ view: 'calls' });
    },
  },
];

async function openFailed(replay: boolean): Promise<void> {
  try {
    const [failed] = await api('GET /calls', { failed: true, limit: 1 });
    if (!failed) return;
    const call = replay ? (await api('POST /calls/{call}/replay', { call: failed.id })).call : failed.id;
    go({ view: 'calls', call });
  } catch (error) {
    showToast(errorMessage(error), 'bad');
  }
}

/** Returns the current view's shortcuts as actions, except for those that only make sense as key presses. */
const actionsOf = (all: readonly { keys: string; run: () => void }[]): Item[] =>
  all.flatMap(({ keys, run }) => {
    const title = shortcutWords[keys];
    return title === undefined || keys === 'mod+k' || keys === 'n' || keys === 'Escape'
      ? []
      : { group: 'Action', title, keys, run };
  });

const viewItems = views.map(({ view, label, key }): Item => ({
  group: 'View',
  title: label,
  keys: `g ${key}`,
  run: () => go({ view }),
}));

const placesOf = (platform: PlatformResource): Item[] => [
  ...installedIn(platform).map(({ target, title }) => ({
    group: 'Installation',
    title: `${title} · ${[target.installation, target.site ?? target.space].filter(Boolean).join(' ')}`,
    run: () => go({ view: 'configuration', ...target }),
  })),
  ...platform.integration.blocks.map(({ id, title }) => ({
    group: 'Block',
    title: `${title} · ${id}`,
    run: () => void openBlock(id),
  })),
  ...eventTypes
    .filter((type) => type !== 'fetch')
    .map((type) => ({
      group: 'Event',
      title: `Send ${type}`,
      run: () => {
        composeEvent(type);
        go({ view: 'calls' });
      },
    })),
];

/** The properties of the installation's own configuration, and of each space and site. */
const propertiesOf = (platform: PlatformResource): Item[] =>
  installedIn(platform).flatMap(({ target, kind, title }) =>
    Object.entries(
      platform.integration.configurations[kind === 'organization' ? 'account' : kind]?.properties ?? {},
    ).map(([name, property]) => ({
      group: 'Property',
      title: `${property.title ?? name} · ${title}`,
      run: () => go({ view: 'configuration', ...target }),
    })),
  );

/** Returns the pages of all spaces and the webhook endpoints, once the user has typed something. */
function usePages({ spaces }: PlatformResource, isTyped: boolean): Item[] {
  const [pages, setPages] = useState<Item[]>([]);
  useEffect(() => {
    if (!isTyped) return;
    setPages([]);
    api('GET /webhooks').then(
      (endpoints) =>
        setPages((others) => [
          ...others,
          ...endpoints.map(({ id, url }) => ({
            group: 'Endpoint',
            title: `${url} · ${id}`,
            run: () => go({ view: 'webhooks', endpoint: id }),
          })),
        ]),
      () => {},
    );
    for (const { id: space } of spaces)
      api('GET /content', { space }).then(
        (content) =>
          setPages((others) => [
            ...others,
            ...content.pages
              .filter(({ type }) => type === 'document')
              .map(({ id, title, path }) => ({
                group: 'Page',
                title: path === '' ? title : `${title} · ${path}`,
                run: () => go({ view: 'pages', space, page: id }),
              })),
          ]),
        // The views already show that the platform is not responding.
        () => {},
      );
  }, [isTyped]);
  return isTyped ? pages : [];
}

/** Opens the last inserted block of this kind, or the list of blocks if the page has none. */
async function openBlock(component: string): Promise<void> {
  const blocks = await api('GET /blocks').catch(() => []);
  const block = blocks.findLast((one) => one.component === component);
  go({ view: 'blocks', ...(block && { block: block.id }) });
}

const typingMs = 120;
const mostCalls = 7;

/** Finds calls that contain the text, which can be an id, a URL or a word in a log. */
function useFound(typed: string): Item[] {
  const [found, setFound] = useState<Item[]>([]);
  useEffect(() => {
    if (typed.length < 3) {
      setFound([]);
      return undefined;
    }
    let gone = false;
    const timer = setTimeout(() => {
      Promise.all([
        api('GET /calls', { search: typed, limit: mostCalls }),
        api('GET /calls/count', { search: typed }),
      ]).then(
        ([lines, { matching }]) => {
          if (gone) return;
          const calls = lines.reverse().map((line): Item => ({
            group: 'Call',
            title: callTitle(line),
            call: line,
            run: () => go({ view: 'calls', call: line.id }),
          }));
          const all = `Show all ${matching.toLocaleString('en')} calls with`;
          setFound(matching > calls.length ? [...calls, searchOfCalls(typed, all)] : calls);
        },
        // Not reported here, because the views already show that the platform is not responding.
        () => {},
      );
    }, typingMs);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [typed]);
  return found;
}
