import type { ReaderSpace } from '../../emulator/spaces/readers.js';
import { HttpError } from '../../emulator/http/http-error.js';
import type { SiteOptions } from '../site-options.js';
import { checkCondition } from './check-condition.js';
import { verifyToken, type Claims } from './verify-token.js';

/** The readers of the site. Only the script can sign in a visitor. Requests to the site cannot claim an identity. */
export interface Visitors {
  /** Signs in a visitor with a token that the script added to a URL. Throws if the token is invalid. */
  signIn(space: ReaderSpace | undefined, token: string): Promise<void>;
  signOut(): void;
  /** Returns the data for a page's visitor menu. */
  show(space: ReaderSpace, path: string, conditions: unknown): ShownVisitor;
}

export interface ShownVisitor {
  /**
   * The URL where the script's visitor authentication starts. Undefined if the scope is missing or the page is not on a
   * site.
   */
  signIn?: string;
  claims?: Claims;
  /** Whether each condition of the page holds for the visitor. */
  holds: boolean[];
  /** The URL of the console's calls. */
  calls: string;
}

export function createVisitors({ platform, now }: Pick<SiteOptions, 'platform' | 'now'>): Visitors {
  let claims: Claims | undefined;

  /** The secrets of the integrations that are installed on the site. Any of them can sign in a visitor. */
  const siteSecrets = (space: ReaderSpace | undefined): string[] =>
    platform.members().flatMap(({ readers, environment }) => {
      const { site, target } = readers.spaces().find(({ id }) => id === space?.id) ?? {};
      const found = site && target && environment({ installation: target.installation, site: site.id });
      return found?.signingSecrets.siteInstallation ?? [];
    });

  return {
    async signIn(space, token) {
      const secrets = siteSecrets(space);
      if (secrets.length === 0)
        throw new HttpError(
          409,
          'no-site',
          'The integration is not installed on this site, so visitors cannot sign in with it.',
        );
      const verified = await verifyToken(token, secrets, now());
      if ('reason' in verified)
        throw new HttpError(
          401,
          'invalid-token',
          `The visitor's jwt_token is not valid. ${verified.reason} Sign the claims with HS256 and environment.signingSecrets.siteInstallation.`,
        );
      claims = verified.claims;
    },
    signOut: () => (claims = undefined),
    show(space, path, conditions) {
      const [signIn] = platform.members().flatMap(({ readers }) => {
        const own = readers.spaces().find(({ id }) => id === space.id);
        return (own && readers.signInUrl(own, path)) ?? [];
      });
      return {
        calls: platform.readers.calls,
        holds: (Array.isArray(conditions) ? conditions : []).map(
          (one) => checkCondition(String(one), claims ?? {}) ?? false,
        ),
        ...(signIn !== undefined && { signIn }),
        ...(claims && { claims }),
      };
    },
  };
}
