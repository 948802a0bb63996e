import type { Addresses } from '../http/addresses.js';

export interface AuthorizationRequest {
  clientId: string;
  redirectUri: string;
  state: string | undefined;
  scope: string;
  challenge: string | undefined;
}

export type ReadAuthorization =
  | { ok: true; request: AuthorizationRequest }
  /** The redirect URI is not trusted, so the error is shown to the user. */
  | { ok: false; to: 'user'; message: string }
  /** The error is sent to the client's redirect URI. */
  | {
      ok: false;
      to: 'client';
      redirectUri: string;
      state: string | undefined;
      error: string;
      message: string;
    };

/** Limited, because the scope is stored with every code and token. */
const longestScope = 4_096;
const mostScopes = 100;

export function readAuthorization(query: URLSearchParams, addresses: Addresses): ReadAuthorization {
  const only = (name: string): string | undefined => {
    const [value, ...more] = query.getAll(name);
    return more.length > 0 ? undefined : value;
  };
  const clientId = only('client_id');
  const redirectUri = only('redirect_uri');
  if (!clientId) return { ok: false, to: 'user', message: 'The request has no client_id.' };
  if (!redirectUri || !isOwnEndpoint(redirectUri, addresses)) {
    const message = `The redirect_uri must be one of the public endpoints of the local platform${redirectUri ? `, but is ${redirectUri}` : ''}.`;
    return { ok: false, to: 'user', message };
  }
  const state = only('state');
  const refuse = (error: string, message: string): ReadAuthorization => ({
    ok: false,
    to: 'client',
    redirectUri,
    state,
    error,
    message,
  });
  if (only('response_type') !== 'code')
    return refuse('unsupported_response_type', 'The response_type must be code.');
  const challenge = only('code_challenge');
  const method = only('code_challenge_method');
  if (challenge !== undefined && method !== 'S256')
    return refuse('invalid_request', 'The code_challenge_method must be S256.');
  if (challenge !== undefined && !/^[A-Za-z0-9_-]{43}$/.test(challenge)) {
    return refuse('invalid_request', 'The code_challenge is not a valid S256 challenge.');
  }
  const scope = only('scope') ?? '';
  if (scope.length > longestScope || scope.split(' ').length > mostScopes) {
    const message = `The scope can contain at most ${mostScopes} names and ${longestScope} characters.`;
    return refuse('invalid_scope', message);
  }
  return { ok: true, request: { clientId, redirectUri, state, scope, challenge } };
}

/** Allows only the integration's own URLs, because a provider that redirects to any URL makes phishing easier. */
function isOwnEndpoint(uri: string, addresses: Addresses): boolean {
  if (!URL.canParse(uri) || uri.includes('#')) return false;
  const { origin, pathname, username, password } = new URL(uri);
  const own = [addresses.local, new URL(addresses.public).origin];
  return own.includes(origin) && !username && !password && pathname.startsWith('/v1/integrations/');
}

/** Redirects the browser to the URL, with the result in the query. */
export function redirectTo(redirectUri: string, parameters: Record<string, string | undefined>): Response {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  return new Response(null, { status: 302, headers: { Location: url.href, 'Cache-Control': 'no-store' } });
}
