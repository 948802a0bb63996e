import type { JSX } from 'preact';
import { Command } from '../ui/command.js';
import { api } from '../api/fetch-api.js';
import { useResource } from '../live/use-resource.js';
import { installedIn, targetKey, type Installed } from '../live/where-installed.js';
import type { PlatformResource } from '../../contract/routes/overview.js';
import { EmptyState } from '../ui/messages/empty-state.js';
import { Icon } from '../ui/icon.js';
import { IntegrationIcon } from '../ui/messages/integration-icon.js';
import { NotInstalled, NotInstalledHere } from '../shell/not-installed.js';
import { GoLink } from '../shell/navigation.js';
import { JsonView } from '../text/json-view.js';
import { ConnectedAccounts } from '../connections/connected-accounts.js';
import { ConnectionsCard } from '../connections/connections-card.js';
import { ConfigurationComponent } from './configuration-component.js';
import type { ConfigurationSection } from '../../protocol/integration.js';
import { PropertyField } from './property-field.js';
import { Card } from '../ui/card.js';
import { LoadingState } from '../ui/messages/loading-state.js';
import { Status } from '../ui/status.js';
import { formatTimeOrDate } from '../text/format.js';
import { outcomeWords } from '../calls/detail/describe-call.js';
import { InstallationStatusView } from '../ui/messages/installation-status.js';
import { useConnections } from '../connections/use-connections.js';

interface ConfigurationViewProps {
  platform: PlatformResource;
  route: { installation?: string; site?: string; space?: string };
}

export function ConfigurationView({ platform, route }: ConfigurationViewProps): JSX.Element {
  const targets = installedIn(platform);
  const { installation, ...part } = route;
  const found = targets.find(({ target }) =>
    installation === undefined
      ? target.site === part.site && target.space === part.space
      : targetKey(target) === targetKey({ installation, ...part }),
  );
  if (!found) {
    return targets.length > 0 ? (
      <NotInstalledHere />
    ) : (
      <NotInstalled
        icon="configuration"
        platform={platform}
        because="A configuration belongs to an installation."
      />
    );
  }
  const { target, kind } = found;
  const sectionName = kind === 'organization' ? 'account' : kind;
  const section = platform.integration.configurations[sectionName];
  return (
    <div class="page configuration">
      <Targets targets={targets} found={found} />
      <div class="stack" key={targetKey(target)}>
        <section class="card installation-screen">
          <header class="bar screen-head">
            <IntegrationIcon integration={platform.integration} size={40} />
            <div class="grow">
              <h2 class="wrap-anywhere">{platform.integration.title}</h2>
              <p class="quiet small cut">
                {kinds[kind]}: {found.title}
              </p>
            </div>
            <TargetStatus configured={found} />
          </header>
          <StatusBanner configured={found} titles={section?.properties ?? {}} />
          <ConnectedAccounts configured={found} section={section} />
          <div class="screen-body">
            {section?.componentId !== undefined ? (
              <ConfigurationComponent configured={found} component={section.componentId} />
            ) : section && Object.keys(section.properties).length > 0 ? (
              <ConfigurationForm section={section} configured={found} />
            ) : (
              <EmptyState
                icon="configuration"
                title="Nothing to configure"
                {...(sectionName === 'account' && {
                  action: <Command text="platform add configuration my-setting" />,
                })}
              >
                <p>
                  The manifest has no <code>configurations.{sectionName}</code>, so the installation is active
                  immediately.
                </p>
              </EmptyState>
            )}
          </div>
        </section>
        <ConnectionsCard target={target} />
      </div>
      <aside class="stack" aria-label="Configuration as the script sees it">
        <SetupEvents configured={found} />
        <section class="card">
          <header class="bar card-head">
            <h2>Stored configuration</h2>
          </header>
          <div class="card-body stack tight">
            {Object.keys(found.configuration).length === 0 ? (
              <p class="quiet">Nothing is stored.</p>
            ) : (
              <JsonView value={found.configuration} label="Stored configuration" />
            )}
            {found.externalIds.length > 0 && (
              <p class="small">
                External ids: <span class="mono wrap-anywhere">{found.externalIds.join(', ')}</span>
              </p>
            )}
          </div>
        </section>
      </aside>
    </div>
  );
}

function Targets({ targets, found }: { targets: readonly Installed[]; found: Installed }): JSX.Element {
  return (
    <nav class="column targets" aria-label="Targets">
      {targets.map((one) => {
        const current = one === found;
        return (
          <GoLink
            key={targetKey(one.target)}
            to={{ view: 'configuration', ...one.target }}
            class={current ? 'bar pick target current' : 'bar pick target'}
            current={current}
          >
            <span class="column grow cut">
              <span class="quiet small">{kinds[one.kind]}</span>
              <span class="cut">{one.title}</span>
            </span>
            <TargetStatus configured={one} />
          </GoLink>
        );
      })}
    </nav>
  );
}

const kinds = { organization: 'Organization', site: 'Site', space: 'Space' };

function StatusBanner(props: {
  configured: Installed;
  titles: Record<string, { title?: string }>;
}): JSX.Element | null {
  const { status, problems } = props.configured;
  if (status === 'paused') {
    return (
      <p class="bar screen-banner calm" role="status">
        <Icon name="pause" /> Paused: the script receives no events, and its endpoint responds with 503.
      </p>
    );
  }
  if (status === 'active') return null;
  return (
    <p class="bar screen-banner warn" role="status">
      <Icon name="clock" />
      <span>
        {problems.length === 1 ? 'This property is' : 'These properties are'} missing or invalid:{' '}
        <strong>
          {problems.map(({ property }) => props.titles[property]?.title ?? property).join(', ')}
        </strong>
      </span>
    </p>
  );
}

/** The form that the product generates from the manifest. Each edit is stored separately. */
function ConfigurationForm(props: { section: ConfigurationSection; configured: Installed }): JSX.Element {
  const { section, configured } = props;
  return (
    <form class="stack" onSubmit={(event) => event.preventDefault()}>
      {Object.entries(section.properties).map(([name, property]) => (
        <PropertyField
          key={name}
          name={name}
          property={property}
          required={section.required.includes(name)}
          configured={configured}
        />
      ))}
      <p class="quiet small">Each edit is saved when you leave its field.</p>
    </form>
  );
}

/** Lists the setup events, one for each edit. Ignores the filters of the list of calls. */
function SetupEvents({ configured: { target, kind } }: { configured: Installed }): JSX.Element {
  const type = setupEvents[kind];
  const { data, error } = useResource(
    `setup events ${targetKey(target)}`,
    () => api('GET /calls', { ...target, type, limit: shownEvents }),
    (event) => (event.type === 'call-started' || event.type === 'call-finished') && event.call.type === type,
  );
  return (
    <Card title="Setup events" flush>
      {!data ? (
        error === undefined ? (
          <LoadingState lines={2} />
        ) : (
          <p class="card-note quiet">{error}</p>
        )
      ) : data.length === 0 ? (
        <p class="card-note quiet">No setup events yet. Each edit sends one.</p>
      ) : (
        <ul class="recent">
          {data.toReversed().map((line) => (
            <li key={line.id}>
              <GoLink to={{ view: 'calls', call: line.id }} class="bar pick recent-link">
                <span class="recent-title semi cut">{line.subject ?? 'setup'}</span>
                <span class="grow" />
                <Status tone={outcomeWords(line).tone}>{outcomeWords(line).text}</Status>
                <span class="number quiet nowrap recent-time">{formatTimeOrDate(line.time, Date.now())}</span>
              </GoLink>
            </li>
          ))}
        </ul>
      )}
      {data?.at(-1)?.outcome === 'no-handler' && (
        <p class="card-note quiet small">
          The script has no handler for <code>{type}</code>, so it ignores the event.
        </p>
      )}
    </Card>
  );
}

const shownEvents = 6;

const setupEvents = {
  organization: 'installation_setup',
  site: 'site_installation_setup',
  space: 'space_installation_setup',
} as const;

function TargetStatus({ configured }: { configured: Installed }): JSX.Element {
  return configured.status === 'pending' ? (
    <PendingStatus configured={configured} />
  ) : (
    <InstallationStatusView status={configured.status} />
  );
}

function PendingStatus({ configured: { target } }: { configured: Installed }): JSX.Element {
  const latest = useConnections(target).find(({ outcome }) => outcome !== 'running');
  return latest?.outcome === 'failed' ? (
    <Status tone="bad" live>
      Failed
    </Status>
  ) : (
    <InstallationStatusView status="pending" />
  );
}
