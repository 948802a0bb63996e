import type { Environment } from '../../protocol/environment.js';

/** Values without a type declared by the author. */
// `any`, because authors declare configurations as interfaces, which are not assignable to a record of `unknown`.
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyValues = Record<string, any>;

/** A task without a type declared by the author. */
export type AnyTask = { type: string } & AnyValues;

/**
 * A call's environment, with your types for the account, site or space configuration.
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
