/** Providers use different codes for a grant that has expired, has already been used or was revoked. */
const endedGrant = /^invalid_grant$|refresh_token|revoked|expired/;

/**
 * Thrown if the provider returns no token. If `needsReconnect` is true, the user must reconnect, because the
 * provider rejected the refresh token or the credentials contain none. In all other cases, either a later
 * attempt may succeed or an option is wrong.
 *
 * @example
 * ```ts
 * import { getOAuthToken, OAuthError, type OAuthConfig, type RuntimeContext } from 'integration-platform';
 *
 * async function tokenOf(config: OAuthConfig, context: RuntimeContext): Promise<string | undefined> {
 *   const { configuration } = context.environment.installation ?? {};
 *   try {
 *     return await getOAuthToken(configuration?.oauth_credentials, config, context);
 *   } catch (error) {
 *     // Show a button that connects the account again.
 *     if (error instanceof OAuthError && error.needsReconnect) return undefined;
 *     throw error;
 *   }
 * }
 * ```
 */
export class OAuthError extends Error {
  override readonly name = 'OAuthError';
  /** Whether the user must reconnect the account. */
  readonly needsReconnect: boolean;
  /** The provider's error code, such as `invalid_grant`. */
  readonly error: string | undefined;

  constructor(message: string, error?: string, needsReconnect = endedGrant.test(error ?? '')) {
    super(message);
    this.error = error;
    this.needsReconnect = needsReconnect;
  }
}

/** `reason` is the provider's error code or, if the provider sent no code, what the provider responded with. */
export const noAccessToken = (reason: unknown, otherwise?: string): OAuthError => {
  const error = typeof reason === 'string' ? reason : undefined;
  const why = error ?? otherwise;
  return new OAuthError(`The provider returned no access_token${why ? `: ${why}` : '.'}`, error);
};
