import type { OutboundReroute } from '../../sandbox/script/script-host.js';
import type { CallProblem } from '../../store/calls/call-log.js';
import type { Addresses } from '../http/addresses.js';
import { redirectTarget } from '../http/redirect-browser.js';
import { readAuthorization } from './authorization-request.js';
import { grantMarks } from './codes-and-tokens.js';

/** Returns the built-in provider's URL for a redirect of a browser to an external provider. */
function localAuthorization({ searchParams, search }: URL, origin: string): URL | undefined {
  const isAuthorization = searchParams.get('response_type') === 'code' && searchParams.has('client_id');
  if (!isAuthorization || !searchParams.has('redirect_uri')) return undefined;
  return new URL(`${origin}/oauth/authorize${search}`);
}

/** Replaces the external provider of authorizations that the script starts. */
export const createLocalProvider = (addresses: Addresses) => ({
  /** If the script redirects a browser to an external provider, redirects the browser to the built-in provider instead. */
  redirect: (location: URL) => localAuthorization(location, addresses.consoleOrigin),
  /** Returns why the built-in provider would show an error page for the script's redirect, if it would. */
  judge(response: Response): CallProblem | undefined {
    const location = redirectTarget(response);
    const url = location && localAuthorization(location, addresses.consoleOrigin);
    const read = url && readAuthorization(url.searchParams, addresses);
    if (!read || read.ok || read.to === 'client') return undefined;
    return { code: 'authorization-rejected', severity: 'error', message: read.message };
  },
});

/** If a token request contains a code or token from the built-in provider, sends the request to that provider. */
export const tokenReroutes = (origin: string, query = ''): OutboundReroute[] =>
  grantMarks.map((marker) => ({ marker, url: `${origin}/oauth/token${query}` }));
