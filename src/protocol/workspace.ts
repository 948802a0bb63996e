export interface Organization {
  id: string;
  title: string;
  /** Another name for the organization, which manifests can also use. */
  subdomain?: string;
}

export type Visibility = 'public' | 'unlisted' | 'private';

export interface Space {
  id: string;
  title: string;
  organization: string;
  visibility: Visibility;
  /** The code point of the icon in hexadecimal, as in the API, for example `1f4d8`. */
  emoji?: string;
  /** The folder that contains the space's pages, relative to the manifest's folder. */
  content?: string;
}

export interface Site {
  id: string;
  title: string;
  organization: string;
  /** The ids of the spaces published on the site. */
  spaces: string[];
}

/** A reply from the local platform's AI. If `question` is omitted, the reply matches every question. */
export interface PreparedAnswer {
  question?: string;
  markdown: string;
  followupQuestions: string[];
}

/** The local platform's organizations, spaces and sites. The first organization is the author's own. */
export interface Workspace {
  organizations: [own: Organization, ...others: Organization[]];
  spaces: Space[];
  sites: Site[];
  answers?: PreparedAnswer[];
  /** The cookies in events about the site's readers. A reader's own cookies take precedence. */
  visitor?: { cookies: Record<string, string> };
  /** The value of `network` in each installation. */
  network?: { proxy?: boolean };
}

export const localUser = { id: 'user_local', displayName: 'Local user' };

/** The second organization is for testing that a private or unlisted integration cannot be installed elsewhere. */
export const defaultWorkspace: Workspace = {
  organizations: [
    { id: 'org_local', title: 'Local organization' },
    { id: 'org_other', title: 'Another organization' },
  ],
  spaces: [{ id: 'space_local', title: 'Local space', organization: 'org_local', visibility: 'public' }],
  sites: [{ id: 'site_local', title: 'Local site', organization: 'org_local', spaces: ['space_local'] }],
};
