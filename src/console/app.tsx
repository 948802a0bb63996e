import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { api } from './api/fetch-api.js';
import { missingNote, sessionEnd } from './api/session-state.js';
import { preferencesLoaded } from './live/preferences.js';
import { allIntegrations } from '../protocol/integration.js';
import type { CallProblems } from '../contract/routes/calls.js';
import type { PlatformResource } from '../contract/routes/overview.js';
import type { DeliveryFailures } from '../contract/routes/webhooks.js';
import { useFailedDeliveries } from './live/deliveries.js';
import { useResource } from './live/use-resource.js';
import { JoinedOverview } from './overview/joined-overview.js';
import { OverviewView } from './overview/overview-view.js';
import { Button } from './ui/button.js';
import { clockAhead } from './ui/state/use-now.js';
import { useCell } from './ui/state/observable-cell.js';
import { EmptyState } from './ui/messages/empty-state.js';
import { LoadingState } from './ui/messages/loading-state.js';
import { editorSetting } from './text/source-link.js';
import { showToast, Toasts } from './ui/toasts.js';
import { BrokenBuild } from './shell/broken-build.js';
import { BusyCall } from './shell/busy-call.js';
import { LinkPage } from './shell/link-page.js';
import { joinedViews } from './shell/integration-switch.js';
import { LoadLater } from './shell/load-later.js';
import { go, useRoute } from './shell/navigation.js';
import type { Route } from './shell/route.js';
import { helpOpen, paletteOpen, useShortcut } from './shell/shortcuts.js';
import { Sidebar, views } from './shell/sidebar.js';
import { nextTheme } from './shell/theme.js';
import { EventsView } from './calls/calls-view.js';

const changesPlatform = ({ type }: { type: string }): boolean =>
  type === 'installation' ||
  type === 'reloaded' ||
  type === 'build' ||
  type === 'state-loaded' ||
  type === 'clock';

const changesProblems = ({ type }: { type: string }): boolean =>
  type === 'call-finished' || type === 'call-changed' || type === 'reloaded';

export function App(): JSX.Element {
  const asked = useRoute();
  const {
    data: platform,
    error,
    read,
  } = useResource('platform', () => api('GET /overview'), changesPlatform);

  const isAll = platform?.integration.name === allIntegrations;
  const route: Route = isAll && !joinedViews.includes(asked.view) ? { view: 'calls' } : asked;
  const { data: problems } = useResource('problems', () => api('GET /calls/problems'), changesProblems);
  const failedDeliveries = useFailedDeliveries(platform);
  const loaded = useCell(preferencesLoaded);
  const ended = useCell(sessionEnd) !== undefined;

  const finding = useCell(paletteOpen);
  const helping = useCell(helpOpen);

  useShortcut('mod+k', () => paletteOpen.set(true));
  useShortcut('?', () => helpOpen.set(true));
  useShortcut('t', nextTheme);
  for (const { view, key } of views) useShortcut(`g ${key}`, () => go({ view }));

  const label = views.find(({ view }) => view === route.view)?.label ?? 'Console';
  useEffect(() => {
    editorSetting.set(platform?.settings.editor);
    clockAhead.set(platform?.clockAhead ?? 0);
  }, [platform]);
  const missing = useCell(missingNote);
  useEffect(() => {
    if (missing !== undefined) showToast(missing, 'bad');
  }, [missing]);
  const title = platform?.integration.title;
  useEffect(() => {
    document.title = [ended && 'Ended', label, title].filter(Boolean).join(' · ');
  }, [ended, label, title]);

  if (ended && !platform) return <LinkPage reason="refused" />;
  return (
    <>
      {ended && (
        <LoadLater meanwhile={null}>
          {({ EndedNotice }) => <EndedNotice view={route.view} title={title} />}
        </LoadLater>
      )}
      <div class={ended ? 'app ended' : 'app'}>
        <a class="skip-link" href="#main">
          Skip to content
        </a>
        <Sidebar
          platform={platform}
          problems={problems}
          failedDeliveries={failedDeliveries.failed}
          current={route.view}
        />
        <main id="main" class={`main view-${route.view}`} tabIndex={-1}>
          <h1 class="only-read-aloud">{label}</h1>
          <BusyCall />
          {platform && <BrokenBuild platform={platform} view={route.view} />}
          {platform && loaded ? (
            <CurrentView
              route={route}
              platform={platform}
              problems={problems}
              failedDeliveries={failedDeliveries}
            />
          ) : error === undefined ? (
            <LoadingState lines={6} />
          ) : (
            <EmptyState
              icon="error"
              title="The platform isn't responding"
              action={<Button onPress={read}>Try again</Button>}
            >
              <p>{error}</p>
            </EmptyState>
          )}
        </main>
        {platform && finding && (
          <LoadLater meanwhile={null}>
            {({ Palette }) => <Palette platform={platform} failed={problems?.errors.all ?? 0} />}
          </LoadLater>
        )}
        {helping && <LoadLater meanwhile={null}>{({ ShortcutHelp }) => <ShortcutHelp />}</LoadLater>}
        <Toasts />
      </div>
    </>
  );
}

interface CurrentViewProps {
  route: Route;
  platform: PlatformResource;
  problems: CallProblems | undefined;
  failedDeliveries: DeliveryFailures;
}

function CurrentView({ route, platform, problems, failedDeliveries }: CurrentViewProps): JSX.Element {
  switch (route.view) {
    case 'overview':
      return platform.integration.name === allIntegrations ? (
        <JoinedOverview platform={platform} problems={problems} failedDeliveries={failedDeliveries} />
      ) : (
        <OverviewView platform={platform} problems={problems} failedDeliveries={failedDeliveries} />
      );
    case 'configuration':
      return (
        <LoadLater>
          {({ ConfigurationView }) => <ConfigurationView platform={platform} route={route} />}
        </LoadLater>
      );
    case 'pages':
      return (
        <LoadLater>
          {({ PagesView }) => (
            <PagesView platform={platform} space={route.space} page={route.page} path={route.path} />
          )}
        </LoadLater>
      );
    case 'blocks':
      return (
        <LoadLater>{({ BlocksView }) => <BlocksView platform={platform} selected={route.block} />}</LoadLater>
      );
    case 'calls':
      return <EventsView platform={platform} call={route.call} tab={route.tab} filter={route.filter} />;
    case 'webhooks':
      return (
        <LoadLater>
          {({ WebhooksView }) => (
            <WebhooksView platform={platform} route={route} failures={failedDeliveries} />
          )}
        </LoadLater>
      );
    case 'tasks':
      return <LoadLater>{({ TasksView }) => <TasksView platform={platform} />}</LoadLater>;
    case 'listing':
      return <LoadLater>{({ ListingView }) => <ListingView platform={platform} />}</LoadLater>;
  }
}
