import type { Environment } from '../protocol/environment.js';

/** What stands where an author declared no type. */
// An interface fits a record of `any` but none of `unknown`, and configurations are declared as interfaces.
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyValues = Record<string, any>;

/** A task of which its author declared no type. */
export type AnyTask = { type: string } & AnyValues;

/**
 * The environment of an integration whose configurations have these types.
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
