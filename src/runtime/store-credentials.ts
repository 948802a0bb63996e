import type { Installation } from '../protocol/environment.js';
import type { InstallationChange, PlatformApi } from './api-client.js';
import type { AnyValues } from './environment.js';

/** The installation that credentials belong to. */
export interface CredentialsPlace {
  integration: string;
  installation: string;
  site?: string | undefined;
  space?: string | undefined;
}

interface Stored {
  configuration: AnyValues;
}

/** Reads the installation of a place through the API. */
export async function readPlace(api: PlatformApi, place: CredentialsPlace): Promise<Stored> {
  const { integration, installation, site, space } = place;
  const { integrations } = api;
  if (site) return (await integrations.getIntegrationSiteInstallation(integration, installation, site)).data;
  if (space)
    return (await integrations.getIntegrationSpaceInstallation(integration, installation, space)).data;
  return readInstallation(api, place);
}

export async function readInstallation(
  api: PlatformApi,
  { integration, installation }: CredentialsPlace,
): Promise<Installation<AnyValues>> {
  return (await api.integrations.getIntegrationInstallationById(integration, installation)).data;
}

export async function writePlace(
  api: PlatformApi,
  place: CredentialsPlace,
  change: InstallationChange,
): Promise<void> {
  const { integration, installation, site, space } = place;
  const { integrations } = api;
  if (site) await integrations.updateIntegrationSiteInstallation(integration, installation, site, change);
  else if (space)
    await integrations.updateIntegrationSpaceInstallation(integration, installation, space, change);
  else await integrations.updateIntegrationInstallation(integration, installation, change);
}
