import type { ConfigurationValues, InstallationStatus } from '../../protocol/environment.js';
import type { InstalledTarget } from '../../contract/resources.js';
import type { PlatformResource } from '../../contract/routes/overview.js';

/** A target of the integration: an organization, or one of its sites or spaces. */
export interface Placed {
  place: InstalledTarget;
  kind: 'organization' | 'site' | 'space';
  title: string;
  status: InstallationStatus;
  configuration: ConfigurationValues;
  externalIds: string[];
  problems: { property: string; message: string }[];
  endpoint: string;
}

export function placedIn({ installations, organizations, sites, spaces }: PlatformResource): Placed[] {
  return installations.flatMap((installation): Placed[] => {
    const { id, organization } = installation;
    const titleIn = (list: { id: string; title: string }[], wanted: string): string =>
      list.find((one) => one.id === wanted)?.title ?? wanted;
    const placed = (
      kind: Placed['kind'],
      title: string,
      place: InstalledTarget,
      { status, configuration, externalIds, problems, urls }: (typeof installations)[number] | Part,
    ): Placed => ({
      place,
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

/** A unique key of a target. */
export const placeKey = ({ installation, site = '', space = '' }: InstalledTarget): string =>
  [installation, site, space].join('|');

export const findPlaced = (platform: PlatformResource, place: InstalledTarget): Placed | undefined =>
  placedIn(platform).find((one) => placeKey(one.place) === placeKey(place));
