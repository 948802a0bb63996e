import type { OAuthState } from '../protocol/oauth-state.js';
import type { RuntimeContext } from './context.js';

export type OAuthPlace = Pick<OAuthState, 'installation' | 'site' | 'space'>;

/** The installation in play, as an OAuth state names it. */
export const placeInPlay = ({ environment }: RuntimeContext): Partial<OAuthPlace> => {
  const { installation, siteInstallation, spaceInstallation } = environment;
  return {
    ...(installation && { installation: installation.id }),
    ...(siteInstallation && { site: siteInstallation.site }),
    ...(spaceInstallation && { space: spaceInstallation.space }),
  };
};

/** Where the API keeps the installation's configuration. */
export const pathOf = (
  { environment }: RuntimeContext,
  { installation, site, space }: OAuthPlace,
): string => {
  const path = `/integrations/${environment.integration.name}/installations/${installation}`;
  return path + (site ? `/sites/${site}` : space ? `/spaces/${space}` : '');
};
