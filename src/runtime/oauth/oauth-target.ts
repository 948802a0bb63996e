import type { Installation } from '../../protocol/environment.js';
import type { InstallationChange } from '../api/api-resources.js';
import type { RuntimeContext } from '../definition/context.js';
import type { AnyValues, RuntimeEnvironment } from '../environment/runtime-environment.js';

/** The API path of the installation, or of the installation on a site or in a space. */
export const pathOf = (
  { integration, installation }: RuntimeEnvironment,
  { site, space }: { site?: string; space?: string } = {},
): string =>
  `integrations/${integration.name}/installations` +
  (installation ? `/${installation.id}` : '') +
  (site ? `/sites/${site}` : space ? `/spaces/${space}` : '');

export const readTarget = async ({ api }: RuntimeContext, path: string): Promise<Installation<AnyValues>> =>
  (await api.request<Installation<AnyValues>>('GET', path)).data;

/** Stores the change, and merges its configuration into `configuration`. */
export const changeTarget = (
  { api }: RuntimeContext,
  path: string,
  change: InstallationChange,
  configuration: AnyValues | false,
): Promise<unknown> =>
  api.request('PATCH', path, { ...change, configuration: { ...configuration, ...change.configuration } });
