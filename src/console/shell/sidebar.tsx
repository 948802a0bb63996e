import type { JSX } from 'preact';
import { connection, type ConnectionState } from '../api/session-state.js';
import type { FilterTexts } from '../api/call-filter.js';
import type { CallProblems } from '../../contract/routes/calls.js';
import type { PlatformResource } from '../../contract/routes/overview.js';
import { allIntegrations } from '../../protocol/integration.js';
import { useTaskRuns, useTasks } from '../live/queued-tasks.js';
import { Button } from '../ui/button.js';
import { useCell } from '../ui/state/observable-cell.js';
import { Icon, type IconName } from '../ui/icon.js';
import { IntegrationIcon } from '../ui/messages/integration-icon.js';
import { Status } from '../ui/status.js';
import { IntegrationSwitch, joinedViews } from './integration-switch.js';
import { GoLink, openTab } from './navigation.js';
import type { View } from '../../protocol/console-views.js';
import type { Route } from './route.js';
import { helpOpen, paletteOpen } from './shortcuts.js';
import { nextTheme, theme, type Theme } from './theme.js';

export const views: readonly { view: View; label: string; short?: string; icon: IconName; key: string }[] = [
  { view: 'overview', label: 'Overview', icon: 'overview', key: 'o' },
  { view: 'configuration', label: 'Configuration', short: 'Config', icon: 'configuration', key: 'c' },
  { view: 'pages', label: 'Pages', icon: 'pages', key: 'p' },
  { view: 'blocks', label: 'Blocks', icon: 'blocks', key: 'b' },
  { view: 'calls', label: 'Calls', icon: 'calls', key: 'a' },
  { view: 'webhooks', label: 'Webhooks', icon: 'webhooks', key: 'w' },
  { view: 'tasks', label: 'Tasks', icon: 'clock', key: 't' },
  { view: 'listing', label: 'Listing', icon: 'listing', key: 'l' },
];

const themeIcons: Record<Theme, IconName> = { system: 'screen', light: 'sun', dark: 'moon' };
const themeWords: Record<Theme, string> = {
  system: 'Theme: system',
  light: 'Theme: light',
  dark: 'Theme: dark',
};

interface SidebarProps {
  platform: PlatformResource | undefined;
  problems: CallProblems | undefined;
  failedDeliveries: number;
  current: View;
}

export function Sidebar({ platform, problems, failedDeliveries, current }: SidebarProps): JSX.Element {
  const tasks = useTasks().length;
  const moved = platform !== undefined && platform.clockAhead !== 0;
  // Most integrations do not queue tasks.
  const ran = useTaskRuns();
  const isAll = platform?.integration.name === allIntegrations;
  const shown = views.filter(({ view }) =>
    isAll ? joinedViews.includes(view) : view !== 'tasks' || tasks + ran > 0 || moved || current === 'tasks',
  );
  const chosen = useCell(theme);
  const broken = platform?.lastBuild?.ok === false;
  return (
    <header class="column sidebar">
      <GoLink to={{ view: 'overview' }} class="bar pick brand" label="Overview">
        {platform && (
          <>
            <IntegrationIcon integration={platform.integration} size={30} />
            <span class="column brand-words">
              <span class="strong cut">{platform.integration.title}</span>
              {!isAll && (
                <span class="quiet small cut">
                  v{platform.version} · {platform.integration.visibility}
                </span>
              )}
            </span>
          </>
        )}
      </GoLink>
      {platform && <IntegrationSwitch platform={platform} view={current} />}
      <nav class="column nav" aria-label="Views">
        {shown.map(({ view, label, short = label, icon, key }) => (
          <div key={view} class="nav-item">
            <GoLink
              to={{ view }}
              class={view === current ? 'bar pick nav-link current' : 'bar pick nav-link'}
              current={view === current}
              label={`${label} (g ${key})`}
            >
              <Icon name={icon} />
              <span class="grow nav-label" data-short={short}>
                {label}
              </span>
              {view === 'overview' && broken && <span class="pill bad nav-alert">build broken</span>}
            </GoLink>
            {view === 'calls' && problems && <ProblemBadges problems={problems} />}
            {view === 'webhooks' && (
              <span class="nav-badges">
                <Badge
                  count={failedDeliveries}
                  tone="bad"
                  words={`${counted(failedDeliveries, 'failed delivery', 'failed deliveries')} since the last save`}
                  to={{ view, failed: true }}
                />
              </span>
            )}
            {view === 'tasks' && (
              <span class="nav-badges">
                <Badge
                  count={tasks}
                  tone="calm"
                  words={counted(tasks, 'queued task', 'queued tasks')}
                  to={{ view }}
                />
                {moved && <span class="pill nav-badge warn">time moved</span>}
              </span>
            )}
          </div>
        ))}
      </nav>
      <div class="bar sidebar-foot">
        <Connection />
        <span class="grow" />
        <Button kind="quiet" icon="search" label="Find (Ctrl+K)" onPress={() => paletteOpen.set(true)} />
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

function ProblemBadges({ problems: { errors, warnings } }: { problems: CallProblems }): JSX.Element {
  const calls = (filter: FilterTexts): Route => ({ view: 'calls', filter: { ...filter, current: 'true' } });
  return (
    <span class="nav-badges">
      <Badge
        count={errors.current}
        tone="bad"
        words={`${counted(errors.current, 'error', 'errors')} since the last save`}
        to={calls({ failed: 'true' })}
      />
      <Badge
        count={warnings.current}
        tone="warn"
        words={`${counted(warnings.current, 'warning', 'warnings')} since the last save`}
        to={calls({ warnings: 'true' })}
      />
    </span>
  );
}

interface BadgeProps {
  count: number;
  tone: 'bad' | 'warn' | 'calm';
  words: string;
  to: Route;
}

const counted = (count: number, one: string, several: string): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : several}`;

function Badge({ count, tone, words, to }: BadgeProps): JSX.Element | null {
  if (count === 0) return null;
  return (
    <GoLink to={to} class={`pill nav-badge ${tone} number`} label={words}>
      <span aria-hidden="true">{count > mostCounted ? `${mostCounted}+` : count}</span>
      <span class="only-read-aloud">{words}</span>
    </GoLink>
  );
}

/** Larger counts do not fit in the badge. */
const mostCounted = 99;

const connectionWords: Record<ConnectionState, string> = {
  connecting: 'Connecting',
  live: 'Live',
  lost: 'Offline',
  ended: 'Offline',
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
