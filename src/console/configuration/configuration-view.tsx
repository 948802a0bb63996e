import type { JSX } from 'preact';
import type { Place } from '../api/requests.js';
import { placedIn, placeKey, type Placed } from '../live/where-installed.js';
import type { PlatformResource } from '../api/response-types.js';
import { EmptyState } from '../ui/messages/empty-state.js';
import { Icon } from '../ui/icon.js';
import { InstallationStatusView } from '../ui/messages/installation-status.js';
import { IntegrationIcon } from '../ui/messages/integration-icon.js';
import { NotInstalled } from '../ui/messages/not-installed.js';
import { GoLink } from '../shell/navigation.js';
import { JsonView } from '../text/json-view.js';
import { ConfigurationComponent } from './configuration-component.js';
import { ConfigurationForm } from './configuration-form.js';
import { SetupEvents } from './setup-events.js';

interface ConfigurationViewProps {
  platform: PlatformResource;
  route: { installation?: string; site?: string; space?: string };
}

export function ConfigurationView({ platform, route }: ConfigurationViewProps): JSX.Element {
  const places = placedIn(platform);
  const found =
    route.installation === undefined
      ? places[0]
      : places.find(({ place }) => placeKey(place) === placeKey(route as Place));
  if (!found) {
    return (
      <NotInstalled
        icon="configuration"
        title={places.length === 0 ? undefined : 'Nothing is installed here'}
        because="A configuration belongs to an installation."
      />
    );
  }
  const { place, kind } = found;
  const sectionName = kind === 'organization' ? 'account' : kind;
  const section = platform.integration.configurations[sectionName];
  return (
    <div class="page configuration">
      <nav class="places" aria-label="Places">
        {places.map((one) => {
          const current = one === found;
          return (
            <GoLink
              key={placeKey(one.place)}
              to={{ view: 'configuration', ...one.place }}
              class={current ? 'place current' : 'place'}
              current={current}
            >
              <span class="grow cut">
                <span class="place-kind">{kinds[one.kind]}</span>
                <span class="cut">{one.title}</span>
              </span>
              <InstallationStatusView status={one.status} />
            </GoLink>
          );
        })}
      </nav>
      <section class="card installation-screen" key={placeKey(place)}>
        <header class="screen-head">
          <IntegrationIcon integration={platform.integration} size={40} />
          <div class="grow">
            <h2 class="wrap-anywhere">{platform.integration.title}</h2>
            <p class="quiet small cut">
              {kinds[kind]}: {found.title}
            </p>
          </div>
          <InstallationStatusView status={found.status} />
        </header>
        <StatusBanner configured={found} titles={section?.properties ?? {}} />
        <div class="screen-body">
          {section?.componentId !== undefined ? (
            <ConfigurationComponent configured={found} component={section.componentId} />
          ) : section && Object.keys(section.properties).length > 0 ? (
            <ConfigurationForm section={section} configured={found} />
          ) : (
            <EmptyState icon="configuration" title="Nothing to fill in">
              <p>
                The manifest has no <code>configurations.{sectionName}</code>, so the installation is active
                at once.
              </p>
            </EmptyState>
          )}
        </div>
      </section>
      <aside class="stack" aria-label="What the script sees">
        <SetupEvents place={place} />
        <section class="card">
          <header class="card-head">
            <h2>Stored configuration</h2>
          </header>
          <div class="card-body stack tight">
            <JsonView value={found.configuration} label="Stored configuration" />
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

const kinds = { organization: 'Organization', site: 'Site', space: 'Space' };

function StatusBanner(props: {
  configured: Placed;
  titles: Record<string, { title?: string }>;
}): JSX.Element {
  const { status, problems } = props.configured;
  if (status === 'paused') {
    return (
      <p class="screen-banner calm" role="status">
        <Icon name="pause" /> Paused: it gets no events, and its endpoint answers 503.
      </p>
    );
  }
  if (status === 'active') {
    return (
      <p class="screen-banner ok" role="status">
        <Icon name="check" /> Active: everything that is required is set.
      </p>
    );
  }
  return (
    <p class="screen-banner warn" role="status">
      <Icon name="clock" />
      <span>
        Pending until {problems.length === 1 ? 'this is' : 'these are'} right:{' '}
        <strong>
          {problems.map(({ property }) => props.titles[property]?.title ?? property).join(', ')}
        </strong>
      </span>
    </p>
  );
}
