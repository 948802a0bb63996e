import type { OutboundReroute } from '../../sandbox/script/script-host.js';
import { grantMarks } from './codes-and-tokens.js';

/** If the script redirects a browser to an external provider, redirects the browser to the built-in provider instead. */
export function rerouteAuthorization(response: Response, origin: string): Response {
  const location = response.headers.get('location');
  if (response.status < 300 || response.status > 399 || location === null) return response;
  if (!URL.canParse(location)) return response;
  const { searchParams, search } = new URL(location);
  const isAuthorization = searchParams.get('response_type') === 'code' && searchParams.has('client_id');
  if (!isAuthorization || !searchParams.has('redirect_uri')) return response;
  const headers = new Headers(response.headers);
  headers.set('location', `${origin}/oauth/authorize${search}`);
  return new Response(response.body, { status: response.status, headers });
}

/** If a token request contains a code or token from the built-in provider, sends the request to that provider. */
export const tokenReroutes = (origin: string, query = ''): OutboundReroute[] =>
  grantMarks.map((marker) => ({ marker, url: `${origin}/oauth/token${query}` }));
