import { locationOf } from '../../base/text/redirect-location.js';

/** Where a response sends a browser, if it is a redirect to a complete URL. */
export function redirectTarget(response: Response): URL | undefined {
  const location = locationOf(response);
  return location !== undefined && URL.canParse(location) ? new URL(location) : undefined;
}

/** Sends the browser to another URL than the script, if `target` returns one. */
export function redirectBrowser(response: Response, target: (location: URL) => URL | undefined): Response {
  const location = redirectTarget(response);
  const url = location && target(location);
  if (!url) return response;
  const headers = new Headers(response.headers);
  headers.set('location', url.href);
  return new Response(response.body, { status: response.status, headers });
}
