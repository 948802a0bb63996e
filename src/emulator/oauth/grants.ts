import { createHash } from 'node:crypto';
import type { Clock } from '../../base/clock.js';
import type { StateStore } from '../../store/state/state-store.js';
import { newSecret } from '../state/new-id.js';
import { createCollection } from '../state/installation-records.js';
import type { AuthorizationRequest } from './authorization-request.js';

/** What the script's outbound calls are recognised by, whatever address the author's code names. */
export const grantMarks = ['localcode_', 'localrefresh_'] as const;

interface CodeGrant extends AuthorizationRequest {
  expiresAt: number;
  used: boolean;
  /** All that came of one consent: misuse of a part takes back the whole. */
  family: string;
}

interface RefreshGrant {
  clientId: string;
  scope: string;
  family: string;
  used: boolean;
}

export interface IssuedTokens {
  access_token: string;
  refresh_token: string;
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

export interface Grants {
  issueCode(request: AuthorizationRequest): string;
  /** `undefined` where the code is unknown, used, too old, or another client's. */
  redeemCode(exchange: CodeExchange): IssuedTokens | undefined;
  /** Each refresh token works once, and gives the next one. */
  redeemRefresh(token: string, clientId: string): IssuedTokens | undefined;
}

const codeLifetime = 10 * 60 * 1000;
const accessSeconds = 3600;

export function createGrants(state: StateStore, clock: Clock, issued: (secret: string) => void): Grants {
  const codes = createCollection<CodeGrant>(state, 'oauth-codes');
  const refreshes = createCollection<RefreshGrant>(state, 'oauth-refresh-tokens');

  const revoke = (family: string): void => {
    for (const { id, value } of state.list<RefreshGrant>('oauth-refresh-tokens')) {
      if (value.family === family) refreshes.delete(id);
    }
  };

  const issueTokens = (clientId: string, scope: string, family: string): IssuedTokens => {
    const access = newSecret('localaccess');
    const refresh = newSecret('localrefresh');
    refreshes.put(digest(refresh), { clientId, scope, family, used: false });
    issued(access);
    issued(refresh);
    return {
      access_token: access,
      refresh_token: refresh,
      token_type: 'bearer',
      expires_in: accessSeconds,
      scope,
    };
  };

  return {
    issueCode(request) {
      for (const { id, value } of state.list<CodeGrant>('oauth-codes')) {
        if (value.expiresAt <= clock.now()) codes.delete(id);
      }
      const code = newSecret('localcode');
      codes.put(digest(code), {
        ...request,
        expiresAt: clock.now() + codeLifetime,
        used: false,
        family: newSecret('family'),
      });
      return code;
    },
    redeemCode({ code, clientId, redirectUri, verifier }) {
      const grant = codes.get(digest(code));
      if (!grant || grant.expiresAt <= clock.now()) return undefined;
      if (grant.used) {
        revoke(grant.family);
        return undefined;
      }
      codes.put(digest(code), { ...grant, used: true });
      if (grant.clientId !== clientId || grant.redirectUri !== redirectUri) return undefined;
      if (!provesChallenge(grant.challenge, verifier)) return undefined;
      return issueTokens(clientId, grant.scope, grant.family);
    },
    redeemRefresh(token, clientId) {
      const grant = refreshes.get(digest(token));
      if (!grant || grant.clientId !== clientId) return undefined;
      if (grant.used) {
        revoke(grant.family);
        return undefined;
      }
      refreshes.put(digest(token), { ...grant, used: true });
      return issueTokens(clientId, grant.scope, grant.family);
    },
  };
}

const digest = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

function provesChallenge(challenge: string | undefined, verifier: string | undefined): boolean {
  if (challenge === undefined) return verifier === undefined;
  return verifier !== undefined && digest(verifier) === challenge;
}
