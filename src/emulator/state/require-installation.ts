import type { ConfigurationValues } from '../../protocol/environment.js';
import type { ConfigurationSection } from '../../protocol/integration.js';
import { withDefaults } from './check-configuration.js';
import { statusOf, type InstallTarget } from './script-environments.js';
import type { PlatformEvent } from '../../protocol/events.js';
import { HttpError, invalid, notFound } from '../http/http-error.js';
import { placementId, type InstallationRecord, type PlacementRecord } from './installation-records.js';
import type { Registry } from './registry.js';

type WithoutId<Event> = Event extends PlatformEvent ? Omit<Event, 'eventId'> & { eventId?: string } : never;

/** An event that has not been sent yet. The id is assigned when the event is sent. */
export type NewEvent = WithoutId<PlatformEvent>;

/** An installation in an organization, site or space, with a configuration and a status. */
export interface Installed {
  target: InstallTarget & { installation: string };
  installation: InstallationRecord;
  record: InstallationRecord | PlacementRecord;
  section: ConfigurationSection | undefined;
}

export function requireInstalled(registry: Registry, target: InstallTarget): Installed {
  const { site, space } = target;
  if (site && space) throw invalid('Pass a site or a space, not both.');
  const installation = requireInstallation(registry, target.installation);
  const { configurations } = registry.integration();
  if (!site && !space) {
    const section = configurations.account;
    return { target: { installation: installation.id }, installation, record: installation, section };
  }
  const kind = site ? 'site' : 'space';
  const id = site ?? space ?? '';
  const record = registry.placement(installation.id, kind, id);
  if (!record) {
    const known = registry
      .placementsOf(installation.id)
      .flatMap((placement) => (placement.kind === kind ? [placement.target] : []));
    throw notFound(`The integration is not installed in the ${kind} ${id}.`, { given: id, known });
  }
  return {
    target: { installation: installation.id, [kind]: id },
    installation,
    record,
    section: configurations[kind],
  };
}

/** Returns the installation with this id, or the first one if no id is given. */
export function requireInstallation(registry: Registry, id: string | undefined): InstallationRecord {
  if (id !== undefined) {
    const installation = registry.installations.get(id);
    if (!installation) {
      const known = registry.installations.all().map((one) => one.id);
      throw notFound(`Unknown installation: ${id}.`, { given: id, known });
    }
    return installation;
  }
  const [first] = registry.installations.all();
  if (!first) throw new HttpError(404, 'not-installed', 'The integration is not installed.');
  return first;
}

export function saveInstalled(
  registry: Registry,
  { record }: Installed,
  change: { status?: 'active' | 'pending'; configuration?: ConfigurationValues; externalIds?: string[] },
): void {
  if ('kind' in record) {
    registry.placements.put(placementId(record.installation, record.kind, record.target), {
      ...record,
      ...change,
    });
  } else registry.installations.put(record.id, { ...record, ...change });
}

/** Returns the configuration that the script sees, with defaults for values that are not set. */
export const effectiveConfiguration = ({ section, record }: Installed): ConfigurationValues =>
  withDefaults(section, record.configuration);

/**
 * Returns the event that the script receives after being installed or configured. `previous` is the state before the edit.
 */
export function setupEvent(installed: Installed, previous?: Installed): NewEvent {
  const { installation, record } = installed;
  const common = {
    installationId: installation.id,
    status: statusOf(installation, record),
    ...(previous && {
      previous: {
        status: statusOf(previous.installation, previous.record),
        configuration: effectiveConfiguration(previous),
      },
    }),
  };
  if (!('kind' in record)) return { type: 'installation_setup', ...common };
  return record.kind === 'site'
    ? { type: 'site_installation_setup', siteId: record.target, ...common }
    : { type: 'space_installation_setup', spaceId: record.target, ...common };
}

/** Returns the event that the script receives after being uninstalled. */
export function deletedEvent(installed: Installed): NewEvent {
  const { installation, record } = installed;
  const common = {
    installationId: installation.id,
    previous: { configuration: effectiveConfiguration(installed) },
  };
  if (!('kind' in record)) return { type: 'installation_deleted', ...common };
  return record.kind === 'site'
    ? { type: 'site_installation_deleted', siteId: record.target, ...common }
    : { type: 'space_installation_deleted', spaceId: record.target, ...common };
}
