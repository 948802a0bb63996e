import type { PlatformBase } from '../state/platform-base.js';
import { createRouter } from '../http/router.js';
import type { Preferences } from '../console/preferences.js';
import { isFromBrowser, isNavigation } from '../http/check-host-and-origin.js';
import { fromForeignPage } from '../http/failure-response.js';
import { errorResponse, isHttpError } from '../http/http-error.js';
import { readText } from '../http/read-json.js';
import { readAuthorization, redirectTo, type AuthorizationRequest } from './authorization-request.js';
import { createGrants, type Grants, type Redeemed } from './codes-and-tokens.js';
import { oauthOutcomes, type ConsentMode, type OAuthOutcome } from '../../protocol/oauth/oauth-outcomes.js';
import { consentPage, refusalPage } from './consent-pages.js';

/** The built-in provider, which replaces the real one: `/oauth/authorize` and `/oauth/token`. */
export function createOAuthProvider(
  deps: Pick<PlatformBase, 'state' | 'clock' | 'addresses' | 'registry' | 'secrets'> & {
    mode: ConsentMode;
    preferences: Preferences;
  },
): (request: Request) => Response | Promise<Response> {
  const { state, clock, addresses, registry, secrets, mode, preferences } = deps;
  const grants = createGrants(state, clock, secrets.add);
  const pageHead = () => ({
    theme: preferences.all().find(({ key }) => key === 'theme')?.value,
    origin: addresses.consoleOrigin,
  });

  const decide = (request: AuthorizationRequest, outcome: OAuthOutcome): Response =>
    redirectTo(request.redirectUri, {
      ...(outcome === 'deny'
        ? { error: 'access_denied', error_description: 'The user denied access.' }
        : { code: grants.issueCode(request, outcome) }),
      state: request.state,
    });

  const authorize = (url: URL, decision: ConsentMode): Response => {
    const read = readAuthorization(url.searchParams, addresses);
    if (read.ok) {
      if (decision === 'ask')
        return consentPage(read.request, {
          query: url.search.slice(1),
          title: registry.integration().title,
          ...pageHead(),
        });
      return decide(read.request, decision);
    }
    if (read.to === 'user') return refusalPage(read.message, pageHead());
    const { redirectUri, error, message } = read;
    return redirectTo(redirectUri, { error, error_description: message, state: read.state });
  };

  const app = createRouter()
    .basePath('/oauth')
    .get('/authorize', (c) =>
      mode === 'ask' || mayBeUser(c.req.raw)
        ? authorize(new URL(c.req.url), mode)
        : errorResponse(403, 'With --oauth, only a browser that opens this page gets an automatic decision.'),
    )
    .post('/authorize', async (c) => {
      // Only the provider's own page may submit the form.
      if (c.req.header('origin') !== addresses.consoleOrigin) return fromForeignPage(c.req.raw);
      const decision = new URLSearchParams(await readText(c.req.raw)).get('decision');
      return authorize(new URL(c.req.url), oauthOutcomes.find((one) => one === decision) ?? 'deny');
    })
    .post('/token', (c) =>
      // The token endpoint is only for scripts.
      isFromBrowser(c.req.raw) ? fromForeignPage(c.req.raw) : respondToTokenRequest(c.req.raw, grants),
    );
  app.notFound(() =>
    errorResponse(404, 'Unknown URL. The provider serves /oauth/authorize and /oauth/token.'),
  );
  app.onError((error) => {
    if (isHttpError(error)) return errorResponse(error.status, error.message);
    throw error;
  });
  return (request) => app.fetch(request);
}

/**
 * Whether the user may have started the request. A page can send many requests without the user noticing, but the user sees
 * every window that it opens. curl does not send these headers.
 */
const mayBeUser = (request: Request): boolean => !isFromBrowser(request) || isNavigation(request.headers);

/** Handles `POST /oauth/token`. */
async function respondToTokenRequest(request: Request, grants: Grants): Promise<Response> {
  const fields = await readFields(request);
  const client = readClient(request, fields);
  if (!client.id || !client.secret) {
    return refuse(401, 'invalid_client', 'client_id and client_secret are required.');
  }
  switch (fields.get('grant_type')) {
    case 'authorization_code':
      return respond(
        grants.redeemCode({
          code: fields.get('code') ?? '',
          clientId: client.id,
          redirectUri: fields.get('redirect_uri') ?? undefined,
          verifier: fields.get('code_verifier') ?? undefined,
        }),
      );
    case 'refresh_token':
      return respond(grants.redeemRefresh(fields.get('refresh_token') ?? '', client.id));
    default:
      return refuse(
        400,
        'unsupported_grant_type',
        'The grant_type must be authorization_code or refresh_token.',
      );
  }
}

async function readFields(request: Request): Promise<URLSearchParams> {
  const text = await readText(request);
  try {
    const value: unknown = JSON.parse(text);
    return new URLSearchParams(value as Record<string, string>);
  } catch {
    return new URLSearchParams(text);
  }
}

function readClient(
  request: Request,
  fields: URLSearchParams,
): { id: string | undefined; secret: string | undefined } {
  const [, basic] = /^Basic +(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? [];
  if (basic === undefined) {
    return { id: fields.get('client_id') ?? undefined, secret: fields.get('client_secret') ?? undefined };
  }
  const [id = '', secret = ''] = Buffer.from(basic, 'base64').toString().split(':', 2);
  return { id, secret };
}

const respond = (redeemed: Redeemed): Response =>
  typeof redeemed === 'string'
    ? refuse(400, 'invalid_grant', redeemed)
    : Response.json(redeemed, { headers: noStore });

const refuse = (status: number, error: string, message: string): Response =>
  Response.json({ error, error_description: message }, { status, headers: noStore });

const noStore = { 'Cache-Control': 'no-store' };
