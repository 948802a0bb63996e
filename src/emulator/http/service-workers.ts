import { isNavigation } from './check-host-and-origin.js';
import { errorResponse } from './http-error.js';

/**
 * Projects take turns on the public port, so they share one origin. A service worker that a page of one
 * project has registered would intercept the requests of the next one, such as the callback of an OAuth flow.
 */
export function createServiceWorkerGuard(): (
  request: Request,
  serve: () => Promise<Response>,
) => Promise<Response> {
  /** The hosts whose stored data has been cleared since this start. */
  const cleared = new Set<string>();

  return async ({ url, headers }, serve) => {
    const registers = headers.has('service-worker');
    const response = registers ? refused() : withoutWiderScope(await serve());
    // A page in a frame of another site has storage of its own, and a prefetched page a browser of its own.
    if (!registers && !isNavigation(headers)) return response;
    // A worker from before this start may answer all navigations itself; then this is its update.
    const { host } = new URL(url);
    if (cleared.has(host)) return response;
    cleared.add(host);
    return changeHeaders(response, (changed) => changed.append('Clear-Site-Data', '"storage"'));
  };
}

const refused = (): Response =>
  errorResponse(
    403,
    'The local platform does not serve service workers: they would outlive the project, because other projects use the same port.',
  );

const withoutWiderScope = (response: Response): Response =>
  response.headers.has('service-worker-allowed')
    ? changeHeaders(response, (headers) => headers.delete('service-worker-allowed'))
    : response;

function changeHeaders(response: Response, change: (headers: Headers) => void): Response {
  const { status, statusText, body } = response;
  const headers = new Headers(response.headers);
  change(headers);
  return new Response(body, { status, statusText, headers });
}
