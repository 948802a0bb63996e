import type { OAuthState } from '../protocol/oauth-state.js';
import type { RuntimeContext } from './context.js';

export type OAuthPlace = Pick<OAuthState, 'installation' | 'site' | 'space'>;

/** The installation in play, as an OAuth state names it. */
export const placeInPlay = ({
  environment,
}: RuntimeContext): Record<keyof OAuthPlace, string | undefined> => ({
  installation: environment.installation?.id,
  site: environment.siteInstallation?.site,
  space: environment.spaceInstallation?.space,
});

/** Where the API keeps the installation's configuration. */
export const pathOf = (
  { environment }: RuntimeContext,
  { installation, site, space }: OAuthPlace,
): string => {
  const path = `/integrations/${environment.integration.name}/installations/${installation}`;
  return path + (site ? `/sites/${site}` : space ? `/spaces/${space}` : '');
};
