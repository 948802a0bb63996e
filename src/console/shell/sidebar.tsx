import type { JSX } from 'preact';
import { connection, type ConnectionState } from '../api/connection.js';
import type { PlatformResource } from '../../contract/routes/overview.js';
import { Button } from '../ui/button.js';
import { useCell } from '../ui/state/observable-cell.js';
import { Icon, type IconName } from '../ui/icon.js';
import { IntegrationIcon } from '../ui/messages/integration-icon.js';
import { Status } from '../ui/status.js';
import { GoLink, openTab } from './navigation.js';
import type { View } from './route.js';
import { helpOpen } from './shortcuts.js';
import { nextTheme, theme, type Theme } from './theme.js';

export const views: readonly { view: View; label: string; short?: string; icon: IconName; key: string }[] = [
  { view: 'overview', label: 'Overview', icon: 'overview', key: 'o' },
  { view: 'configuration', label: 'Configuration', short: 'Config', icon: 'configuration', key: 'c' },
  { view: 'blocks', label: 'Blocks', icon: 'blocks', key: 'b' },
  { view: 'calls', label: 'Calls', icon: 'calls', key: 'a' },
  { view: 'webhooks', label: 'Webhooks', icon: 'webhooks', key: 'w' },
  { view: 'listing', label: 'Listing', icon: 'listing', key: 'l' },
];

const themeIcons: Record<Theme, IconName> = { system: 'screen', light: 'sun', dark: 'moon' };
const themeWords: Record<Theme, string> = {
  system: 'Theme: system',
  light: 'Theme: light',
  dark: 'Theme: dark',
};

export function Sidebar(props: { platform: PlatformResource | undefined; current: View }): JSX.Element {
  const { platform, current } = props;
  const chosen = useCell(theme);
  const broken = platform?.lastBuild?.ok === false;
  return (
    <header class="sidebar">
      <GoLink to={{ view: 'overview' }} class="brand" label="Overview">
        {platform && (
          <>
            <IntegrationIcon integration={platform.integration} size={30} />
            <span class="brand-words">
              <span class="brand-title cut">{platform.integration.title}</span>
              <span class="brand-version cut">
                v{platform.version} · {platform.integration.visibility}
              </span>
            </span>
          </>
        )}
      </GoLink>
      <nav class="nav" aria-label="Views">
        {views.map(({ view, label, short = label, icon, key }) => (
          <GoLink
            key={view}
            to={{ view }}
            class={view === current ? 'nav-link current' : 'nav-link'}
            current={view === current}
            label={`${label} (g ${key})`}
          >
            <Icon name={icon} />
            <span class="nav-label" data-short={short}>
              {label}
            </span>
            {view === 'overview' && broken && <span class="nav-alert">build broken</span>}
          </GoLink>
        ))}
      </nav>
      <div class="sidebar-foot">
        <Connection />
        <span class="grow" />
        <Button
          kind="quiet"
          icon="keyboard"
          label="Keyboard shortcuts (?)"
          onPress={() => helpOpen.set(true)}
        />
        <Button kind="quiet" icon="external" label="Open in a new tab" onPress={() => openTab()} />
        <Button kind="quiet" icon={themeIcons[chosen]} label={themeWords[chosen]} onPress={nextTheme} />
      </div>
    </header>
  );
}

const connectionWords: Record<ConnectionState, string> = {
  connecting: 'Connecting',
  live: 'Live',
  lost: 'Reconnecting',
  ended: 'Ended',
};

function Connection(): JSX.Element {
  const state = useCell(connection);
  const tone = state === 'live' ? 'ok' : state === 'connecting' ? 'calm' : 'bad';
  return (
    <Status tone={tone} live={state !== 'live'}>
      {connectionWords[state]}
    </Status>
  );
}
