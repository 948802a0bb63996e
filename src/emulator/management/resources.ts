import type { Addresses } from '../http/addresses.js';
import {
  assetsOf,
  endpointsAt,
  describeInstallation,
  describeSite,
  describeSpace,
} from '../state/script-environments.js';
import type { InstallationRecord, PlacementRecord } from '../state/installation-records.js';
import type { Registry } from '../state/registry.js';

/** The integration as the API returns it, without secrets. */
export function integrationResource(registry: Registry, addresses: Addresses) {
  const { secrets: _, script: __, organizationInTarget: ___, ...integration } = registry.integration();
  return {
    object: 'integration',
    ...integration,
    version: registry.record().version,
    urls: {
      app: addresses.console,
      icon: `${addresses.console}/assets/icon`,
      ...endpointsAt(addresses.integration(integration.name)),
      ...assetsOf(addresses, integration.name),
    },
  };
}

export const installationResource = (
  registry: Registry,
  addresses: Addresses,
  installation: InstallationRecord,
) => ({
  object: 'integration-installation',
  integration: registry.integration().name,
  ...describeInstallation(registry, addresses, installation),
  // Leaves out defaults, because scripts read all values, change some and write all of them back.
  configuration: installation.configuration,
});

export function placementResource(registry: Registry, addresses: Addresses, placement: PlacementRecord) {
  const { kind, configuration } = placement;
  const describe = kind === 'site' ? describeSite : describeSpace;
  return {
    object: `integration-${kind}-installation`,
    ...describe(registry, addresses, placement),
    configuration,
  };
}
