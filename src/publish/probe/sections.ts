import type { Environment } from '../../protocol/environment.js';
import type { Integration } from '../../protocol/integration.js';
import { defaultWorkspace } from '../../protocol/workspace.js';

/** A section of `configurations` in the manifest. */
export type Section = keyof Integration['configurations'];

interface Target {
  site?: string;
  space?: string;
}

const { sites, spaces } = defaultWorkspace;
export const firstSite: Target = sites[0] ? { site: sites[0].id } : {};
export const firstSpace: Target = spaces[0] ? { space: spaces[0].id } : {};
/** Where a section's configuration is stored. */
export const targetOfSection: Record<Section, Target> = { account: {}, site: firstSite, space: firstSpace };

export const sectionsOf = ({ configurations }: Integration): Section[] =>
  Object.keys(configurations) as Section[];

export function statusIn(section: Section, environment: Environment | undefined): string | undefined {
  const { installation, siteInstallation, spaceInstallation } = environment ?? {};
  return { account: installation, site: siteInstallation, space: spaceInstallation }[section]?.status;
}
