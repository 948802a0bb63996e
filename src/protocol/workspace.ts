export interface Organization {
  id: string;
  title: string;
  /** The other name by which a manifest may call it. */
  subdomain?: string;
}

export type Visibility = 'public' | 'unlisted' | 'private';

export interface Space {
  id: string;
  title: string;
  organization: string;
  visibility: Visibility;
}

export interface Site {
  id: string;
  title: string;
  organization: string;
  /** Ids of the spaces that it publishes. */
  spaces: string[];
}

/** What the platform's own AI says locally. Without a question it fits every question. */
export interface PreparedAnswer {
  question?: string;
  markdown: string;
  followupQuestions: string[];
}

/** Who and what an integration can be installed into. The first organization is the author's own. */
export interface Workspace {
  organizations: [own: Organization, ...others: Organization[]];
  spaces: Space[];
  sites: Site[];
  answers?: PreparedAnswer[];
  /** The `network` of each installation. */
  network?: { proxy?: boolean };
}

/** Who uses the local platform. */
export const localUser = { id: 'user_local', displayName: 'Local user' };

/** One of each, and a second organization, which shows what private and unlisted integrations refuse. */
export const defaultWorkspace: Workspace = {
  organizations: [
    { id: 'org_local', title: 'Local organization' },
    { id: 'org_other', title: 'Another organization' },
  ],
  spaces: [{ id: 'space_local', title: 'Local space', organization: 'org_local', visibility: 'public' }],
  sites: [{ id: 'site_local', title: 'Local site', organization: 'org_local', spaces: ['space_local'] }],
};
