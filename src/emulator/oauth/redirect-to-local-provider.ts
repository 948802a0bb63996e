import type { OutboundReroute } from '../../sandbox/script/script-host.js';
import type { CallProblem } from '../../store/calls/call-log.js';
import type { Addresses } from '../http/addresses.js';
import { readAuthorization } from './authorization-request.js';
import { grantMarks } from './codes-and-tokens.js';

/** Returns the built-in provider's URL for a redirect of a browser to an external provider. */
function localAuthorization({ status, headers }: Response, origin: string): URL | undefined {
  const location = headers.get('location');
  if (status < 300 || status > 399 || location === null || !URL.canParse(location)) return undefined;
  const { searchParams, search } = new URL(location);
  const isAuthorization = searchParams.get('response_type') === 'code' && searchParams.has('client_id');
  if (!isAuthorization || !searchParams.has('redirect_uri')) return undefined;
  return new URL(`${origin}/oauth/authorize${search}`);
}

/** Replaces the external provider of authorizations that the script starts. */
export const createLocalProvider = (addresses: Addresses) => ({
  /** If the script redirects a browser to an external provider, redirects the browser to the built-in provider instead. */
  redirect(response: Response) {
    const url = localAuthorization(response, addresses.consoleOrigin);
    if (!url) return response;
    const headers = new Headers(response.headers);
    headers.set('location', url.href);
    return new Response(response.body, { status: response.status, headers });
  },
  /** Returns why the built-in provider would show an error page for the script's redirect, if it would. */
  judge(response: Response): CallProblem | undefined {
    const url = localAuthorization(response, addresses.consoleOrigin);
    const read = url && readAuthorization(url.searchParams, addresses);
    if (!read || read.ok || read.to === 'client') return undefined;
    return { code: 'authorization-rejected', severity: 'error', message: read.message };
  },
});

/** If a token request contains a code or token from the built-in provider, sends the request to that provider. */
export const tokenReroutes = (origin: string, query = ''): OutboundReroute[] =>
  grantMarks.map((marker) => ({ marker, url: `${origin}/oauth/token${query}` }));
