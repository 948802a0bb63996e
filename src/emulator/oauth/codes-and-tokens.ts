import { createHash } from 'node:crypto';
import type { Clock } from '../../base/clock.js';
import type { StateStore } from '../../store/state/state-store.js';
import { newSecret } from '../state/new-id.js';
import { createCollection, type Collection } from '../state/installation-records.js';
import type { OAuthOutcome } from '../../protocol/oauth/oauth-outcomes.js';
import type { AuthorizationRequest } from './authorization-request.js';

/**
 * Prefixes of codes and refresh tokens. They identify the script's requests to this provider, whatever URL the author's code
 * uses.
 */
export const grantMarks = ['localcode_', 'localrefresh_'] as const;

interface CodeGrant extends AuthorizationRequest {
  expiresAt: number;
  used: boolean;
  /** Identifies everything issued from the same consent. If one code or token is misused, all of them are revoked. */
  family: string;
  withoutRefresh?: true;
}

interface RefreshGrant {
  clientId: string;
  scope: string;
  family: string;
  used: boolean;
}

export interface IssuedTokens {
  access_token: string;
  refresh_token?: string;
  token_type: 'bearer';
  expires_in: number;
  scope: string;
}

interface CodeExchange {
  code: string;
  clientId: string;
  redirectUri: string | undefined;
  verifier: string | undefined;
}

/** Tokens, or why the request is rejected. */
export type Redeemed = IssuedTokens | string;

export type Grants = ReturnType<typeof createGrants>;

const codeLifetime = 10 * 60 * 1000;
/** Only the newest grants are stored, because a page could open the provider in a loop. */
const most = 100;
const accessSeconds = 3600;

export function createGrants(state: StateStore, clock: Clock, issued: (secret: string) => void) {
  const codes = createCollection<CodeGrant>(state, 'oauth-codes');
  const refreshes = createCollection<RefreshGrant>(state, 'oauth-refresh-tokens');

  /** Makes room for one more grant by removing used grants before the oldest unused ones. */
  const makeRoom = (collection: Collection<{ used: boolean }>, name: string): void => {
    const kept = state.list<{ used: boolean }>(name);
    const byWorth = [...kept.filter(({ value }) => value.used), ...kept.filter(({ value }) => !value.used)];
    for (const { id } of byWorth.slice(0, Math.max(0, kept.length + 1 - most))) collection.delete(id);
  };

  const revoke = (family: string): void => {
    for (const { id, value } of state.list<RefreshGrant>('oauth-refresh-tokens')) {
      if (value.family === family) refreshes.delete(id);
    }
  };

  const issueTokens = (
    clientId: string,
    scope: string,
    family: string,
    withoutRefresh = false,
  ): IssuedTokens => {
    const access = newSecret('localaccess');
    issued(access);
    const tokens = { access_token: access, token_type: 'bearer', expires_in: accessSeconds, scope } as const;
    if (withoutRefresh) return tokens;
    const refresh = newSecret('localrefresh');
    makeRoom(refreshes, 'oauth-refresh-tokens');
    refreshes.put(digest(refresh), { clientId, scope, family, used: false });
    issued(refresh);
    return { ...tokens, refresh_token: refresh };
  };

  return {
    issueCode(request: AuthorizationRequest, outcome: Exclude<OAuthOutcome, 'deny'> = 'approve') {
      for (const { id, value } of state.list<CodeGrant>('oauth-codes')) {
        // An expired code is kept for a while, so that the client receives the correct error.
        if (value.expiresAt + codeLifetime <= clock.now()) codes.delete(id);
      }
      makeRoom(codes, 'oauth-codes');
      const code = newSecret('localcode');
      codes.put(digest(code), {
        ...request,
        expiresAt: clock.now() + (outcome === 'expired-code' ? 0 : codeLifetime),
        used: false,
        family: newSecret('family'),
        ...(outcome === 'no-refresh-token' && { withoutRefresh: true }),
      });
      return code;
    },
    redeemCode({ code, clientId, redirectUri, verifier }: CodeExchange) {
      const grant = codes.get(digest(code));
      if (!grant) return 'The code is unknown.';
      if (grant.expiresAt <= clock.now()) return 'The code has expired.';
      if (grant.used) {
        revoke(grant.family);
        return 'The code was already used, so its tokens were revoked.';
      }
      codes.put(digest(code), { ...grant, used: true });
      if (grant.clientId !== clientId) return 'The code was issued to a different client_id.';
      if (grant.redirectUri !== redirectUri) return 'The code was issued for a different redirect_uri.';
      if (!matchesChallenge(grant.challenge, verifier))
        return 'The code_verifier does not match the code_challenge.';
      return issueTokens(clientId, grant.scope, grant.family, grant.withoutRefresh);
    },
    /** Each refresh token can be used only once, and is then replaced by a new token. */
    redeemRefresh(token: string, clientId: string) {
      const grant = refreshes.get(digest(token));
      if (!grant) return 'The refresh token is unknown or was revoked.';
      if (grant.clientId !== clientId) return 'The refresh token was issued to a different client_id.';
      if (grant.used) {
        revoke(grant.family);
        return 'The refresh token was already used, so all tokens of this connection were revoked.';
      }
      refreshes.put(digest(token), { ...grant, used: true });
      return issueTokens(clientId, grant.scope, grant.family);
    },
  };
}

const digest = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

function matchesChallenge(challenge: string | undefined, verifier: string | undefined): boolean {
  if (challenge === undefined) return verifier === undefined;
  return verifier !== undefined && digest(verifier) === challenge;
}
