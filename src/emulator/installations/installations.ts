import type { PlatformBase } from '../state/platform-base.js';
import type { Input } from '../../contract/console-api.js';
import type { ConfigurationValues } from '../../protocol/environment.js';
import type { Organization } from '../../protocol/workspace.js';
import { statusFor } from '../state/check-configuration.js';
import type { InstallationChange } from '../live/emulator-event.js';
import type { EventFeed } from '../live/event-feed.js';
import { setupBy, type EventSender } from '../calls/event-sender.js';
import { HttpError, notFound } from '../http/http-error.js';
import { newSecret } from '../state/new-id.js';
import {
  deletedEvent,
  requireInstallation,
  requireInstalled,
  saveInstalled,
  setupEvent,
} from '../state/require-installation.js';
import { placementId, type InstallationRecord, type PlacementKind } from '../state/installation-records.js';
import type { Registry } from '../state/registry.js';

/** The initial values for an installation, or for a site or space that it is added to. */
export interface InitialState {
  configuration?: ConfigurationValues;
  externalIds?: string[];
}

export interface InstallRequest extends InitialState, Input<'POST /installations'> {
  /** Initial values for individual sites and spaces, keyed by id. */
  parts?: Record<string, InitialState>;
}

export type Installations = ReturnType<typeof createInstallations>;

interface Deps extends Pick<PlatformBase, 'registry' | 'feed' | 'clock'> {
  events: EventSender;
}

export function createInstallations(deps: Deps) {
  const { registry, events, feed } = deps;
  /** Adds the installation to a site or a space. */
  const addTo = (
    id: string,
    kind: PlacementKind,
    target: string,
    initial: InitialState = {},
  ): Promise<void> => installInto(deps, { id, kind, target, initial });
  const setPaused = (id: string, paused: boolean): void => {
    const installation = requireInstallation(registry, id);
    if (installation.paused === paused) return;
    registry.installations.put(id, { ...installation, paused });
    report(feed, id, paused ? 'paused' : 'resumed');
  };

  return {
    /** Resolves when the setup events have been handled. */
    async install(request: InstallRequest = {}) {
      const organization = findOrganization(registry, request.organization);
      checkAccess(registry, organization, request.link);
      const { id } = createRecord(deps, organization, request);
      report(feed, id, 'installed');
      await setUp(deps, id);
      for (const kind of ['space', 'site'] as const) {
        const targets = request[`${kind}s`] ?? targetsIn(registry, organization, kind);
        for (const target of targets)
          if (registry.installations.get(id)) await addTo(id, kind, target, request.parts?.[target]);
      }
      return id;
    },
    /** Resolves when the script has handled the deletion events. */
    async uninstall(id: string) {
      const installed = requireInstalled(registry, { installation: id });
      // Sent before the records are deleted, so that the script receives the previous environment, whose URLs still work.
      const handled = events.fire(deletedEvent(installed), installed.target, setupBy('uninstalled'));
      registry.transaction(() => {
        for (const { kind, target } of registry.placementsOf(id)) {
          registry.placements.delete(placementId(id, kind, target));
        }
        registry.installations.delete(id);
      });
      report(feed, id, 'uninstalled');
      await handled;
    },
    addTo,
    async remove(id: string, kind: PlacementKind, target: string) {
      const installed = requireInstalled(registry, { installation: id, [kind]: target });
      registry.placements.delete(placementId(id, kind, target));
      report(feed, id, 'uninstalled', { [kind]: target });
      await events.fire(deletedEvent(installed), { installation: id }, setupBy('uninstalled'));
    },
    pause: (id: string) => setPaused(id, true),
    resume: (id: string) => setPaused(id, false),
  };
}

function createRecord(
  { registry, clock }: Deps,
  organization: Organization,
  initial: InitialState,
): InstallationRecord {
  const { nextInstallation } = registry.record();
  const installation: InstallationRecord = {
    id: `installation_${nextInstallation}`,
    organization: organization.id,
    status: 'pending',
    paused: false,
    configuration: initial.configuration ?? {},
    externalIds: initial.externalIds ?? [],
    token: newSecret('installation'),
    signingSecret: newSecret('signing'),
    createdAt: clock.now(),
  };
  registry.transaction(() => {
    registry.update({ nextInstallation: nextInstallation + 1, everInstalled: true });
    registry.installations.put(installation.id, installation);
  });
  return installation;
}

/** The first event always has the status `pending`. If the configuration is complete, a second event follows. */
async function setUp({ registry, events, feed }: Deps, id: string): Promise<void> {
  const first = requireInstalled(registry, { installation: id });
  await events.fire(setupEvent(first), first.target, setupBy('installed'));
  if (!registry.installations.get(id)) return;
  const now = requireInstalled(registry, { installation: id });
  if (now.record.status !== 'pending') return;
  if (statusFor(now.section, now.record.configuration) !== 'active') return;
  saveInstalled(registry, now, { status: 'active' });
  report(feed, id, 'activated');
  await events.fire(
    setupEvent(requireInstalled(registry, now.target), now),
    now.target,
    setupBy('activated'),
  );
}

/** Adds the installation to a site or a space. */
async function installInto(
  { registry, events, feed }: Deps,
  { id, kind, target, initial }: { id: string; kind: PlacementKind; target: string; initial: InitialState },
): Promise<void> {
  const installation = requireInstallation(registry, id);
  checkTarget(registry, installation, kind, target);
  const section = registry.integration().configurations[kind];
  const { configuration = {}, externalIds = [] } = initial;
  registry.placements.put(placementId(id, kind, target), {
    installation: id,
    kind,
    target,
    status: statusFor(section, configuration),
    configuration,
    externalIds,
    signingSecret: newSecret('signing'),
  });
  report(feed, id, 'installed', { [kind]: target });
  const installed = requireInstalled(registry, { installation: id, [kind]: target });
  await events.fire(setupEvent(installed), installed.target, setupBy('installed'));
}

const report = (
  feed: EventFeed,
  installation: string,
  change: InstallationChange,
  target: { site?: string; space?: string } = {},
): void => feed.emit({ type: 'installation', installation, change, ...target });

function findOrganization({ workspace }: Registry, name: string | undefined): Organization {
  if (name === undefined) return workspace.organizations[0];
  const found = workspace.organizations.find(({ id, subdomain }) => id === name || subdomain === name);
  if (!found) {
    const known = workspace.organizations.map(({ id }) => id);
    throw notFound(`Unknown organization: ${name}.`, { given: name, known });
  }
  return found;
}

/**
 * Private integrations can be installed only in their own organization. Installing an unlisted integration elsewhere
 * requires its install link.
 */
function checkAccess(registry: Registry, organization: Organization, link: string | undefined): void {
  const installed = registry.installations.all().find((record) => record.organization === organization.id);
  if (installed) {
    throw new HttpError(
      409,
      'already-installed',
      `The integration is already installed in ${organization.id}, as ${installed.id}.`,
    );
  }
  if (organization.id === registry.workspace.organizations[0].id) return;
  const { visibility } = registry.integration();
  if (visibility === 'private') {
    throw new HttpError(
      403,
      'private',
      'A private integration can be installed only in its own organization.',
    );
  }
  if (visibility === 'unlisted' && link !== registry.record().link) {
    throw new HttpError(
      403,
      'link-needed',
      'An unlisted integration can be installed only with its install link.',
    );
  }
}

/**
 * Returns the sites and spaces that `target` in the manifest allows. For example, an integration for sites cannot be added to
 * spaces.
 */
function targetsIn(
  { workspace, integration }: Registry,
  { id }: Organization,
  kind: PlacementKind,
): string[] {
  const { target } = integration();
  if (target !== 'all' && target !== kind) return [];
  const all = kind === 'site' ? workspace.sites : workspace.spaces;
  return all.filter(({ organization }) => organization === id).map((one) => one.id);
}

function checkTarget(
  registry: Registry,
  installation: InstallationRecord,
  kind: PlacementKind,
  id: string,
): void {
  const { workspace } = registry;
  const { organization } = installation;
  const known = (kind === 'site' ? workspace.sites : workspace.spaces)
    .filter((target) => target.organization === organization)
    .map((target) => target.id);
  if (!known.includes(id)) {
    throw notFound(`Unknown ${kind}: ${id} in ${organization}.`, { given: id, known });
  }
  const { target } = registry.integration();
  if (target !== 'all' && target !== kind) {
    throw new HttpError(
      409,
      'wrong-target',
      `The integration's target is ${target}, so it cannot be added to a ${kind}.`,
    );
  }
  if (registry.placement(installation.id, kind, id)) {
    throw new HttpError(
      409,
      'already-installed',
      `The integration is already installed in the ${kind} ${id}.`,
    );
  }
}
