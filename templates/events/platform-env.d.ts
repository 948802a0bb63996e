// Made by `platform types` from platform-manifest.yaml: changes to this file are lost.
import type { Environment as PlatformEnvironment, RuntimeContext } from 'integration-platform';

/** The settings of the whole installation. */
export interface Configuration {
  /** Address to notify: Receives a POST request with a JSON message whenever a space changes. */
  notify_url?: string;
}

/** The settings of one site. */
export interface SiteConfiguration {
  [key: string]: unknown;
}

/** The settings of one space. */
export interface SpaceConfiguration {
  [key: string]: unknown;
}

/** The secrets that the manifest declares. */
export type Secrets = {
};

/** The ids of the blocks, and so of their components. */
export type BlockId = never;

export type Environment = Omit<
  PlatformEnvironment<Configuration, SiteConfiguration, SpaceConfiguration>,
  'secrets'
> & { secrets: Secrets };

/** What every handler of this integration is given. */
export type Context = RuntimeContext<Environment>;
