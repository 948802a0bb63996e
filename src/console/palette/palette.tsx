import { Fragment, type JSX } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import type { CallLine } from '../../contract/routes/calls.js';
import type { PlatformResource } from '../../contract/routes/overview.js';
import { outcomeWords } from '../calls/detail/describe-call.js';
import { usePreference } from '../live/preferences.js';
import { Marked } from '../text/marked.js';
import { formatDuration, formatTime } from '../text/format.js';
import { showControls } from '../text/show-controls.js';
import { Dialog } from '../ui/dialog.js';
import { Icon, type IconName } from '../ui/icon.js';
import { useCell } from '../ui/state/observable-cell.js';
import { Status } from '../ui/status.js';
import { Keys } from '../shell/keys.js';
import { paletteOpen, shortcuts } from '../shell/shortcuts.js';
import {
  actionsOf,
  callActions,
  placesOf,
  propertiesOf,
  searchOfCalls,
  useFound,
  useIntegrationItems,
  usePages,
  viewItems,
  type PaletteItem,
} from './palette-items.js';

/** How many items of a group are shown, so that the other groups can be seen. */
const mostInGroup = 6;
const mostRecent = 5;

const headings: Readonly<Record<string, string>> = {
  Recent: 'Recent',
  View: 'Views',
  Action: 'Actions',
  Integration: 'Integrations',
  Installation: 'Installations',
  Page: 'Pages',
  Endpoint: 'Webhook endpoints',
  Property: 'Properties',
  Block: 'Blocks',
  Event: 'Events',
  Call: 'Calls',
  Calls: 'Search',
};
const icons: Readonly<Record<string, IconName>> = {
  Action: 'terminal',
  Integration: 'overview',
  Installation: 'check-circle',
  Page: 'file',
  Endpoint: 'webhooks',
  Property: 'configuration',
  Block: 'blocks',
  Event: 'send',
  Call: 'calls',
  Calls: 'search',
};

export function Palette({ platform, failed }: { platform: PlatformResource; failed: number }): JSX.Element {
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState(0);
  const [recent, setRecent] = usePreference<readonly string[]>('recently found', []);
  const actions = useCell(shortcuts);
  const found = useFound(typed.trim());
  const pages = usePages(platform);
  const id = useId();
  const close = (): void => paletteOpen.set(false);
  const words = typed.toLowerCase().split(/\s+/);
  const matching = [
    ...viewItems,
    ...callActions(failed > 0),
    ...actionsOf(actions),
    ...useIntegrationItems(platform),
    ...placesOf(platform),
    ...propertiesOf(platform),
    ...pages,
  ].filter((item) => words.every((word) => textOf(item).toLowerCase().includes(word)));
  const again =
    typed === '' ? recent.flatMap((one) => matching.find((item) => textOf(item) === one) ?? []) : [];
  const others = inGroups(matching.filter((item) => !again.includes(item)));
  const shown = [
    ...again.map((item) => ({ ...item, group: 'Recent', icon: iconOf(item) })),
    ...others,
    ...found,
  ];
  const nothing = shown.length === 0;
  if (nothing) shown.push(searchOfCalls(typed.trim(), 'Search calls for'));
  const at = Math.min(active, shown.length - 1);
  const choose = (item: PaletteItem | undefined): void => {
    if (!item) return;
    const chosen = again.find(({ run }) => run === item.run) ?? item;
    if (!chosen.call)
      setRecent([textOf(chosen), ...recent.filter((one) => one !== textOf(chosen))].slice(0, mostRecent));
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
            <Fragment key={item.group + textOf(item) + item.call?.id}>
              {item.group !== shown[index - 1]?.group && (
                <li class="palette-group" role="presentation" aria-hidden="true">
                  {headings[item.group] ?? item.group}
                </li>
              )}
              <li
                class={index === at ? 'bar pick option active' : 'bar pick option'}
                id={`${id}-${index}`}
                role="option"
                aria-selected={index === at}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => choose(item)}
              >
                <Found item={item} words={words} />
                {index === at && <kbd aria-hidden="true">↵</kbd>}
              </li>
            </Fragment>
          ))}
        </ul>
        <p class="palette-keys quiet small" aria-hidden="true">
          <kbd>↑</kbd> <kbd>↓</kbd> choose <kbd>↵</kbd> open <kbd>Esc</kbd> close
        </p>
      </div>
    </Dialog>
  );
}

const textOf = ({ group, title, note = '' }: PaletteItem): string => `${group} ${title} ${note}`;
const iconOf = ({ group, icon }: PaletteItem): IconName => icon ?? icons[group] ?? 'right';

/** Brings the items of each group together, in the order of the groups, and leaves out the last ones of large groups. */
const inGroups = (items: readonly PaletteItem[]): PaletteItem[] =>
  Object.keys(headings).flatMap((group) => {
    const all = items.filter((item) => item.group === group);
    return all.slice(0, group === 'View' ? Infinity : mostInGroup);
  });

function Found({ item, words }: { item: PaletteItem; words: readonly string[] }): JSX.Element {
  const { group, title, note, keys, call } = item;
  return (
    <>
      <Icon name={iconOf(item)} size={15} />
      <span class="only-read-aloud">{group} </span>
      <span class="grow cut">
        <Marked text={showControls(title)} words={words} />
        {note && (
          <span class="quiet small">
            {' '}
            <Marked text={showControls(note)} words={words} />
          </span>
        )}
        {call && (
          <span class="palette-detail cut quiet small">
            <span class="mono">{call.id}</span>{' '}
            {showControls([formatDuration(call.durationMs), call.reason].filter(Boolean).join(' · '))}
          </span>
        )}
      </span>
      {call && <FoundCall {...call} />}
      {keys !== undefined && <Keys keys={keys} />}
    </>
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
