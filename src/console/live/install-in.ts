import type { PlatformResource } from '../../contract/routes/overview.js';
import { api } from '../api/fetch-api.js';

export async function installIn(platform: PlatformResource, space: string): Promise<void> {
  const { organization = '' } = platform.spaces.find(({ id }) => id === space) ?? {};
  const installation =
    platform.installations.find((one) => one.organization === organization) ??
    (await api('POST /installations', { organization }));
  if (installation.spaces.some((part) => part.space === space)) return;
  await api('POST /installations/{installation}/spaces/{target}', {
    installation: installation.id,
    target: space,
  });
}
