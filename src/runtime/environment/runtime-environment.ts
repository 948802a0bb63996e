import type { Environment } from '../../protocol/environment.js';

/** Values for which the author declared no type. */
// `any`, because authors declare configurations as interfaces, which are not assignable to a record of `unknown`.
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyValues = Record<string, any>;

/** A task for which the author declared no type. */
export type AnyTask = { type: string } & AnyValues;

/**
 * The environment of a call, with your types for the configuration of the account and of sites or spaces.
 *
 * @example
 * ```ts
 * import type { RuntimeContext, RuntimeEnvironment } from 'integration-platform';
 *
 * interface AccountConfiguration {
 *   oauth_credentials?: { access_token: string };
 * }
 * type Context = RuntimeContext<RuntimeEnvironment<AccountConfiguration, { channel?: string }>>;
 *
 * const channelOf = (context: Context): string | undefined =>
 *   context.environment.siteInstallation?.configuration.channel;
 * ```
 */
export type RuntimeEnvironment<
  Configuration extends object = AnyValues,
  SiteOrSpaceConfiguration extends object = AnyValues,
> = Environment<Configuration, SiteOrSpaceConfiguration, SiteOrSpaceConfiguration>;
