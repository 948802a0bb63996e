/**
 * `active` if the configuration is complete and valid, `pending` if it is not, or `paused`.
 *
 * @title Status of an installation
 */
export type InstallationStatus = 'active' | 'pending' | 'paused';

/** The public URLs of a script. A request can arrive at either of them. */
export interface Endpoints {
  /** Where the script receives requests. */
  publicEndpoint: string;
  /** Where the script's content is served from. */
  publicContentEndpoint: string;
}

/**
 * Values of the properties that are declared in the manifest's `configurations`.
 *
 * @title Configuration
 */
export type ConfigurationValues = Record<string, unknown>;

/** An integration in an organization. */
export interface Installation<Configuration = ConfigurationValues> {
  /** The installation's id. */
  id: string;
  /** The organization's id. */
  organization: string;
  /** Whether it is configured and running. */
  status: InstallationStatus;
  /** What the installation can be added to. */
  target: 'all' | 'site' | 'space';
  /** Whether it applies to all spaces or to selected ones. */
  space_selection: 'all' | 'selected';
  /** Values of the properties in the manifest's `account` section. */
  configuration: Configuration;
  /** Ids that the integration stored so that it can look up the installation later. */
  externalIds: string[];
  /** Number of spaces that the installation has been added to. */
  spaces?: number;
  /** Whether the outbound requests of this installation go through a proxy. */
  network?: { proxy?: boolean };
  /** The installation's public URLs, and its page in the product. */
  urls: Endpoints & { app: string };
}

/** An installation on a single site or in a single space. */
interface InstallationPart<Configuration> {
  /** The installation's id. */
  installation: string;
  /** The integration's name. */
  integration: string;
  /** Whether it is configured and running. */
  status: InstallationStatus;
  /** Values of the properties for this site or space. */
  configuration: Configuration;
  /** Ids that the integration stored so that it can look up the installation later. */
  externalIds: string[];
  /** Its public URLs. */
  urls: Endpoints;
}

/** An installation on a site. */
export interface SiteInstallation<
  Configuration = ConfigurationValues,
> extends InstallationPart<Configuration> {
  /** The site's id. */
  site: string;
  /** The id of the space that the call is about. */
  space?: string;
}

/** An installation in a space. */
export interface SpaceInstallation<
  Configuration = ConfigurationValues,
> extends InstallationPart<Configuration> {
  /** The space's id. */
  space: string;
}

/** The installation, configuration, secrets and URLs for a call (`context.environment`). */
export interface Environment<
  Configuration = ConfigurationValues,
  SiteConfiguration = ConfigurationValues,
  SpaceConfiguration = ConfigurationValues,
> {
  /** Base URL of the platform's API. */
  apiEndpoint: string;
  /** Tokens for the API, which `context.api` uses. */
  apiTokens: { integration: string; installation?: string };
  /** Older scripts use this field to pass a token. The platform sets only `apiTokens`. */
  authToken?: string;
  /** The integration that the script belongs to. */
  integration: {
    /** The name in the manifest. */
    name: string;
    /** The title in the manifest. */
    title: string;
    /** The version that is running. */
    version: number;
    /** URLs of the integration. */
    urls: Endpoints & {
      /** The integration's icon. */
      icon: string;
      /** The integration's page in the product. */
      app: string;
      /** The base URL of the files in the project's `public/` folder, without a trailing slash. */
      assets?: string;
    };
    /** The links in the manifest. */
    externalLinks: { label: string; url: string }[];
    [key: string]: unknown;
  };
  /** The secrets that the manifest declares, by name. */
  secrets: Record<string, string>;
  /** Secrets for verifying signed requests from the platform. */
  signingSecrets: {
    integration: string;
    installation?: string;
    siteInstallation?: string;
    spaceInstallation?: string;
  };
  /** The installation that the call is for, if there is one. */
  installation?: Installation<Configuration>;
  /** The installation on the site that the call is for, if there is one. */
  siteInstallation?: SiteInstallation<SiteConfiguration>;
  /** The installation in the space that the call is for, if there is one. */
  spaceInstallation?: SpaceInstallation<SpaceConfiguration>;
}

/** The value that a script gets for a secret in a vault until its real value is set. */
export const standInFor = (secret: string): string => `made-up-${secret}`;
