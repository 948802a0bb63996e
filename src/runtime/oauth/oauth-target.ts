import type { Installation } from '../../protocol/environment.js';
import type { InstallationChange } from '../api/api-client.js';
import type { RuntimeContext } from '../context.js';
import type { AnyValues, RuntimeEnvironment } from '../runtime-environment.js';

/** The API's path of the installation, or of where it is in a site or a space. */
export const pathOf = (
  { integration, installation }: RuntimeEnvironment,
  { site, space }: { site?: string; space?: string } = {},
): string =>
  `integrations/${integration.name}/installations` +
  (installation ? `/${installation.id}` : '') +
  (site ? `/sites/${site}` : space ? `/spaces/${space}` : '');

export const readTarget = async ({ api }: RuntimeContext, path: string): Promise<Installation<AnyValues>> =>
  (await api.request<Installation<AnyValues>>('GET', path)).data;

/** Stores the change, with its configuration merged into this one. */
export const changeTarget = (
  { api }: RuntimeContext,
  path: string,
  change: InstallationChange,
  configuration: AnyValues | false,
): Promise<unknown> =>
  api.request('PATCH', path, { ...change, configuration: { ...configuration, ...change.configuration } });
