import { useEffect, useState } from 'preact/hooks';
import type { CallLine } from '../../contract/routes/calls.js';
import type { PlatformResource } from '../../contract/routes/overview.js';
import { allIntegrations } from '../../protocol/integration.js';
import { api } from '../api/fetch-api.js';
import { callTitle } from '../calls/detail/describe-call.js';
import { errorMessage } from '../../base/text/error-message.js';
import { composerAsked } from '../calls/compose/composer-asked.js';
import { eventTypes } from '../calls/compose/event-schemas.js';
import { composeEvent } from '../calls/compose/kept-call.js';
import { installedIn } from '../live/where-installed.js';
import { showIntegration, useIntegrations } from '../shell/integration-switch.js';
import { go } from '../shell/navigation.js';
import { parseRoute } from '../shell/route.js';
import { shortcutWords } from '../shell/shortcut-help.js';
import { views } from '../shell/sidebar.js';
import { showToast } from '../ui/toasts.js';
import type { IconName } from '../ui/icon-paths.js';

export interface PaletteItem {
  group: string;
  title: string;
  /** What distinguishes the item from others with the same title. */
  note?: string;
  icon?: IconName;
  keys?: string;
  call?: CallLine;
  run: () => void;
}

type Item = PaletteItem;

/** The list of calls also searches bodies and logs, and can be filtered further. */
export const searchOfCalls = (search: string, what: string): Item => ({
  group: 'Calls',
  title: `${what} “${search}”`,
  run: () => go({ view: 'calls', filter: { search } }),
});

export const callActions = (anyFailed: boolean): Item[] => [
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
export const actionsOf = (all: readonly { keys: string; run: () => void }[]): Item[] =>
  all.flatMap(({ keys, run }) => {
    const title = shortcutWords[keys];
    return title === undefined || keys === 'mod+k' || keys === 'n' || keys === 'Escape'
      ? []
      : { group: 'Action', title, keys, run };
  });

export const viewItems = views.map(({ view, label, icon, key }): Item => ({
  group: 'View',
  title: label,
  icon,
  keys: `g ${key}`,
  run: () => go({ view }),
}));

/** The other integrations of the session. */
export const useIntegrationItems = ({ integration }: PlatformResource): Item[] =>
  useIntegrations()
    .filter(({ name, running }) => running && name !== integration.name)
    .map((one) => ({
      group: 'Integration',
      title: one.name === allIntegrations ? one.title : `${one.title} · ${one.name}`,
      run: () => showIntegration(one, parseRoute(location.pathname).view),
    }));

export const placesOf = (platform: PlatformResource): Item[] => [
  ...installedIn(platform).map(({ target, title }) => ({
    group: 'Installation',
    title,
    note: [target.installation, target.site ?? target.space].filter(Boolean).join(' '),
    run: () => go({ view: 'configuration', ...target }),
  })),
  ...platform.integration.blocks.map(({ id, title }) => ({
    group: 'Block',
    title,
    note: id,
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
export const propertiesOf = (platform: PlatformResource): Item[] =>
  installedIn(platform).flatMap(({ target, kind, title }) =>
    Object.entries(
      platform.integration.configurations[kind === 'organization' ? 'account' : kind]?.properties ?? {},
    ).map(([name, property]) => ({
      group: 'Property',
      title: property.title ?? name,
      note: title,
      run: () => go({ view: 'configuration', ...target }),
    })),
  );

/** Returns the pages of all spaces and the webhook endpoints. */
export function usePages({ spaces }: PlatformResource): Item[] {
  const [pages, setPages] = useState<Item[]>([]);
  useEffect(() => {
    api('GET /webhooks').then(
      (endpoints) =>
        setPages((others) => [
          ...others,
          ...endpoints.map(({ id, url }) => ({
            group: 'Endpoint',
            title: url,
            note: id,
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
                title,
                note: path,
                run: () => go({ view: 'pages', space, page: id }),
              })),
          ]),
        // The views already show that the platform is not responding.
        () => {},
      );
  }, []);
  return pages;
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
export function useFound(typed: string): Item[] {
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
