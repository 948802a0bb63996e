import type { OutboundReroute } from '../../sandbox/script-host.js';
import { grantMarks } from './grants.js';

/** Sends a browser that a script sends to its provider to the platform's own. */
export function rerouteAuthorization(response: Response, origin: string): Response {
  const location = response.headers.get('location');
  if (response.status < 300 || response.status > 399 || location === null) return response;
  if (!URL.canParse(location)) return response;
  const { searchParams, search } = new URL(location);
  const asks = searchParams.get('response_type') === 'code' && searchParams.has('client_id');
  if (!asks || !searchParams.has('redirect_uri')) return response;
  const headers = new Headers(response.headers);
  headers.set('location', `${origin}/oauth/authorize${search}`);
  return new Response(response.body, { status: response.status, headers });
}

/** Sends the exchange of what the platform's provider has issued to that provider. */
export const tokenReroutes = (origin: string): OutboundReroute[] =>
  grantMarks.map((marker) => ({ marker, url: `${origin}/oauth/token` }));
