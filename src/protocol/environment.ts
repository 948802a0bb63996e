export type InstallationStatus = 'active' | 'pending' | 'paused';

/** Where the world reaches a script, and where its content is served from: scripts route by either. */
export interface Endpoints {
  publicEndpoint: string;
  publicContentEndpoint: string;
}

/** Values of the properties that the manifest's `configurations` declare. */
export type ConfigurationValues = Record<string, unknown>;

export interface Installation<Configuration = ConfigurationValues> {
  id: string;
  /** The organization that it is in. */
  organization: string;
  status: InstallationStatus;
  target: 'all' | 'site' | 'space';
  space_selection: 'all' | 'selected';
  configuration: Configuration;
  externalIds: string[];
  /** How many spaces it is in. */
  spaces?: number;
  network?: { proxy?: boolean };
  urls: Endpoints & { app: string };
}

/** The part of an installation in one site or space. */
interface InstallationPart<Configuration> {
  installation: string;
  integration: string;
  status: InstallationStatus;
  configuration: Configuration;
  externalIds: string[];
  urls: Endpoints;
}

export interface SiteInstallation<
  Configuration = ConfigurationValues,
> extends InstallationPart<Configuration> {
  site: string;
  space?: string;
}

export interface SpaceInstallation<
  Configuration = ConfigurationValues,
> extends InstallationPart<Configuration> {
  space: string;
}

/** What the platform tells a script about where it runs (`context.environment`). */
export interface Environment<
  Configuration = ConfigurationValues,
  SiteConfiguration = ConfigurationValues,
  SpaceConfiguration = ConfigurationValues,
> {
  apiEndpoint: string;
  apiTokens: { integration: string; installation?: string };
  /** Older scripts hand a token on in it. The platform sets `apiTokens`. */
  authToken?: string;
  integration: {
    name: string;
    title: string;
    version: number;
    urls: Endpoints & {
      icon: string;
      app: string;
      /** Where the files of the project's `public/` folder are, without a slash at the end. */
      assets?: string;
    };
    externalLinks: { label: string; url: string }[];
    [key: string]: unknown;
  };
  secrets: Record<string, string>;
  signingSecrets: {
    integration: string;
    installation?: string;
    siteInstallation?: string;
    spaceInstallation?: string;
  };
  installation?: Installation<Configuration>;
  siteInstallation?: SiteInstallation<SiteConfiguration>;
  spaceInstallation?: SpaceInstallation<SpaceConfiguration>;
}
