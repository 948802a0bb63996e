import type { ConfigurationValues, InstallationStatus } from '../../protocol/environment.js';
import type { InstalledTarget } from '../../contract/basics/resources.js';
import type { PlatformResource } from '../../contract/routes/overview.js';

/** A target where the integration is installed: an organization, or one of its sites or spaces. */
export interface Installed {
  target: InstalledTarget;
  kind: 'organization' | 'site' | 'space';
  title: string;
  status: InstallationStatus;
  configuration: ConfigurationValues;
  externalIds: string[];
  problems: { property: string; message: string }[];
  endpoint: string;
}

export function installedIn({ installations, organizations, sites, spaces }: PlatformResource): Installed[] {
  return installations.flatMap((installation): Installed[] => {
    const { id, organization } = installation;
    const titleIn = (list: { id: string; title: string }[], wanted: string): string =>
      list.find((one) => one.id === wanted)?.title ?? wanted;
    const placed = (
      kind: Installed['kind'],
      title: string,
      target: InstalledTarget,
      { status, configuration, externalIds, problems, urls }: (typeof installations)[number] | Part,
    ): Installed => ({
      target,
      kind,
      title,
      status,
      configuration,
      externalIds,
      problems,
      endpoint: urls.publicEndpoint,
    });
    return [
      placed('organization', titleIn(organizations, organization), { installation: id }, installation),
      ...installation.sites.map((part) =>
        placed('site', titleIn(sites, part.site), { installation: id, site: part.site }, part),
      ),
      ...installation.spaces.map((part) =>
        placed('space', titleIn(spaces, part.space), { installation: id, space: part.space }, part),
      ),
    ];
  });
}

type Part =
  | PlatformResource['installations'][number]['sites'][number]
  | PlatformResource['installations'][number]['spaces'][number];

export const targetKey = ({ installation, site = '', space = '' }: InstalledTarget): string =>
  [installation, site, space].join('|');

export const findInstalled = (platform: PlatformResource, target: InstalledTarget): Installed | undefined =>
  installedIn(platform).find((one) => targetKey(one.target) === targetKey(target));

/** Returns the title of a target. Feedback has both a site and a space, and is shown under the site's title. */
export function titleOfTarget(
  installed: readonly Installed[],
  {
    installation,
    site,
    space,
  }: { installation: string; site: string | undefined; space: string | undefined },
): string {
  const part = site !== undefined ? { site } : space !== undefined ? { space } : {};
  const key = targetKey({ installation, ...part });
  const found = installed.find(({ target }) => targetKey(target) === key);
  return found?.title ?? site ?? space ?? installation;
}
