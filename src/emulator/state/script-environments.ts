import { lstatSync } from 'node:fs';
import type {
  Environment,
  InstallationStatus,
  SiteInstallation,
  SpaceInstallation,
} from '../../protocol/environment.js';
import { targetOfInstallation, type Integration } from '../../protocol/integration.js';
import type { Addresses } from '../http/addresses.js';
import type { InstallationRecord, PlacementRecord } from './installation-records.js';
import type { DefaultedProperties } from '../../protocol/log-and-outbound-types.js';
import { defaultedIn, withDefaults } from './check-configuration.js';
import type { Registry } from './registry.js';

/** What a script runs for: the integration itself, an installation, or a site or space where it is installed. */
export interface InstallTarget {
  installation?: string;
  site?: string;
  space?: string;
}

/** Returns the environment for each target. Returns the same object until something in it changes. */
export type Environments = ReturnType<typeof createEnvironments>;

export function createEnvironments(registry: Registry, addresses: Addresses) {
  const known = new Map<string, Environment>();
  const defaulted = new WeakMap<Environment, DefaultedProperties>();
  registry.onChange(() => known.clear());

  return {
    /** Returns undefined if the integration is not installed there. */
    of(target: InstallTarget) {
      const key = `${target.installation ?? ''} ${target.site ?? ''} ${target.space ?? ''}`;
      let environment = known.get(key);
      if (!environment) {
        environment = describe(registry, addresses, target);
        if (environment) {
          known.set(key, environment);
          defaulted.set(environment, describeDefaulted(registry, target));
        }
      }
      return environment;
    },
    /** Returns the values in an environment that are defaults, or undefined if the environment was not created here. */
    defaultedIn: (environment: Environment) => defaulted.get(environment),
  };
}

function describe(registry: Registry, addresses: Addresses, target: InstallTarget): Environment | undefined {
  const base = ofIntegration(registry, addresses);
  if (target.installation === undefined) return base;
  const installation = registry.installations.get(target.installation);
  if (!installation) return undefined;
  const site = target.site && registry.placement(installation.id, 'site', target.site);
  const space = target.space && registry.placement(installation.id, 'space', target.space);
  if ((target.site && !site) || (target.space && !space)) return undefined;

  return {
    ...base,
    apiTokens: { ...base.apiTokens, installation: installation.token },
    signingSecrets: {
      ...base.signingSecrets,
      installation: installation.signingSecret,
      ...(site && { siteInstallation: site.signingSecret }),
      ...(space && { spaceInstallation: space.signingSecret }),
    },
    installation: describeInstallation(registry, addresses, installation),
    ...(site && { siteInstallation: describeSite(registry, addresses, site) }),
    ...(space && { spaceInstallation: describeSpace(registry, addresses, space) }),
  };
}

function describeDefaulted(registry: Registry, target: InstallTarget): DefaultedProperties {
  const { configurations } = registry.integration();
  const { installation = '' } = target;
  const namesOf = (
    kind: keyof Integration['configurations'],
    record: InstallationRecord | PlacementRecord | undefined,
  ): string[] => (record ? defaultedIn(configurations[kind], record.configuration) : []);
  const named = {
    installation: namesOf('account', registry.installations.get(installation)),
    siteInstallation: namesOf('site', registry.placement(installation, 'site', target.site ?? '')),
    spaceInstallation: namesOf('space', registry.placement(installation, 'space', target.space ?? '')),
  };
  return Object.fromEntries(Object.entries(named).filter(([, names]) => names.length > 0));
}

function ofIntegration(registry: Registry, addresses: Addresses): Environment {
  const integration = registry.integration();
  const { version, token, signingSecret } = registry.record();
  const { name, title, externalLinks } = integration;
  return {
    apiEndpoint: addresses.api,
    apiTokens: { integration: token },
    integration: {
      name,
      title,
      version,
      urls: {
        ...endpointsAt(addresses.integration(name)),
        icon: `${addresses.console}/assets/icon`,
        app: addresses.console,
        ...assetsOf(addresses, name),
      },
      externalLinks,
    },
    secrets: integration.secrets,
    signingSecrets: { integration: signingSecret },
  };
}

/** If the folder is a symlink, it may point anywhere, so its files are not served. */
export const assetsOf = (addresses: Addresses, name: string): { assets?: string } =>
  addresses.publicFolder && lstatSync(addresses.publicFolder, { throwIfNoEntry: false })?.isDirectory()
    ? { assets: addresses.assets(name) }
    : {};

/** `publicEndpointFrames` serves pages for iframes. In production, these pages have a separate origin but the same path. */
export const endpointsAt = (address: string) => ({ publicEndpoint: address, publicContentEndpoint: address });

export const statusOf = (
  installation: InstallationRecord,
  of: InstallationRecord | PlacementRecord = installation,
): InstallationStatus => (installation.paused ? 'paused' : of.status);

export function describeInstallation(
  registry: Registry,
  addresses: Addresses,
  installation: InstallationRecord,
): NonNullable<Environment['installation']> {
  const integration = registry.integration();
  const { name, configurations } = integration;
  const { network } = registry.workspace;
  return {
    id: installation.id,
    organization: installation.organization,
    status: statusOf(installation),
    target: targetOfInstallation(integration, installation.organization),
    space_selection: 'selected',
    configuration: withDefaults(configurations.account, installation.configuration),
    externalIds: installation.externalIds,
    spaces: registry.placementsOf(installation.id).filter(({ kind }) => kind === 'space').length,
    ...(network && { network }),
    urls: {
      ...endpointsAt(addresses.target(name, { installation: installation.id })),
      app: `${addresses.console}/installations/${installation.id}`,
    },
  };
}

export type Describe<Described> = (
  registry: Registry,
  addresses: Addresses,
  placement: PlacementRecord,
) => Described;

export const describeSite: Describe<SiteInstallation> = (registry, addresses, placement) => {
  const space = registry.workspace.sites.find(({ id }) => id === placement.target)?.spaces[0];
  return {
    site: placement.target,
    ...(space !== undefined && { space }),
    ...describePart(registry, addresses, placement),
  };
};

export const describeSpace: Describe<SpaceInstallation> = (registry, addresses, placement) => ({
  space: placement.target,
  ...describePart(registry, addresses, placement),
});

const describePart: Describe<Omit<SiteInstallation, 'site' | 'space'>> = (registry, addresses, placement) => {
  const { kind, target, installation, status, configuration, externalIds } = placement;
  const { name, configurations } = registry.integration();
  return {
    installation,
    integration: name,
    status: registry.installations.get(installation)?.paused ? 'paused' : status,
    configuration: withDefaults(configurations[kind], configuration),
    externalIds,
    urls: endpointsAt(addresses.target(name, { installation, [kind]: target })),
  };
};
