import type { PlatformBase } from '../state/platform-base.js';
import type { Handlers } from '../../contract/console-api.js';
import type { installationRoutes as contract } from '../../contract/routes/installations.js';
import { requireInstallation } from '../state/require-installation.js';
import type { Tasks } from '../time/scheduled-tasks.js';
import type { Webhooks } from '../webhooks/webhooks.js';
import type { Blocks } from '../blocks/inserted-blocks.js';
import type { Installations } from './installations.js';
import { readDependents } from './dependents.js';
import type { Addresses } from '../http/addresses.js';
import { checkConfiguration } from '../state/check-configuration.js';
import type { InstallationRecord, PlacementKind } from '../state/installation-records.js';
import type { Registry } from '../state/registry.js';
import {
  describeInstallation,
  describeSite,
  describeSpace,
  type Describe,
} from '../state/script-environments.js';

export function installationView(registry: Registry, addresses: Addresses, installation: InstallationRecord) {
  const { configurations } = registry.integration();
  const placements = registry.placementsOf(installation.id);
  const partsOf = <Part>(kind: PlacementKind, describe: Describe<Part>) =>
    placements
      .filter((placement) => placement.kind === kind)
      .map((placement) => ({
        ...describe(registry, addresses, placement),
        problems: checkConfiguration(configurations[kind], placement.configuration),
      }));
  return {
    ...describeInstallation(registry, addresses, installation),
    organization: installation.organization,
    createdAt: installation.createdAt,
    problems: checkConfiguration(configurations.account, installation.configuration),
    sites: partsOf('site', describeSite),
    spaces: partsOf('space', describeSpace),
  };
}

export function installationRoutes(
  deps: Pick<PlatformBase, 'registry' | 'addresses'> & {
    installations: Installations;
    blocks: Blocks;
    tasks: Tasks;
    webhooks: Webhooks;
  },
): Handlers<keyof typeof contract> {
  const { registry, addresses, installations } = deps;
  const view = (id: string) => installationView(registry, addresses, requireInstallation(registry, id));
  const addTo = async (id: string, kind: 'site' | 'space', target: string) => {
    await installations.addTo(id, kind, target);
    return view(id);
  };

  return {
    'GET /installations': () =>
      registry.installations.all().map((one) => installationView(registry, addresses, one)),
    'POST /installations': async (request) => view(await installations.install(request)),
    'GET /install-link': () => ({
      url: `${addresses.console}/install?link=${registry.record().link}`,
      link: registry.record().link,
    }),
    'GET /installations/{installation}': ({ installation }) => view(installation),
    'GET /installations/{installation}/dependents': (target) => readDependents(deps, target),
    'DELETE /installations/{installation}': ({ installation }) => installations.uninstall(installation),
    'POST /installations/{installation}/pause'({ installation }) {
      installations.pause(installation);
      return view(installation);
    },
    'POST /installations/{installation}/resume'({ installation }) {
      installations.resume(installation);
      return view(installation);
    },
    'POST /installations/{installation}/sites/{target}': ({ installation, target }) =>
      addTo(installation, 'site', target),
    'DELETE /installations/{installation}/sites/{target}': ({ installation, target }) =>
      installations.remove(installation, 'site', target),
    'POST /installations/{installation}/spaces/{target}': ({ installation, target }) =>
      addTo(installation, 'space', target),
    'DELETE /installations/{installation}/spaces/{target}': ({ installation, target }) =>
      installations.remove(installation, 'space', target),
  };
}
