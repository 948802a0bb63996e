import { randomUUID } from 'node:crypto';
import { isNavigation } from './check-host-and-origin.js';
import { errorResponse } from './http-error.js';

/**
 * Keeps service workers off the public port. Projects that use the port at different times share an origin, so a service
 * worker registered by a page of one project would intercept requests to the next project, such as an OAuth callback.
 */
export function createServiceWorkerGuard(): (
  request: Request,
  serve: () => Promise<Response>,
) => Promise<Response> {
  // Only the browser can remember that its service workers were cleared. A marker on the server could be used up by another
  // browser, another program, or a page that is closed before the response arrives.
  const start = randomUUID();

  return async ({ url, method, headers }, serve) => {
    const registers = headers.has('service-worker');
    const response = registers ? refused() : withoutWiderScope(await serve());
    // Only a page opened with GET counts. Prefetched pages and pages framed by another site have separate storage, and a
    // form submitted by another site does not send the cookie.
    const opens = method === 'GET' && isNavigation(headers);
    // A service worker registered before this start may respond to all navigations itself. Then the only request that
    // arrives here is the browser's update check for that service worker.
    if (!registers && !opens) return response;
    const cookie = `platform-start-${new URL(url).port}=${start}`;
    if (headers.get('cookie')?.split('; ').includes(cookie)) return response;
    return changeHeaders(response, (changed) => {
      changed.append('Clear-Site-Data', '"storage"');
      if (opens) changed.append('Set-Cookie', `${cookie}; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax`);
    });
  };
}

const refused = (): Response =>
  errorResponse(
    403,
    'The local platform does not serve service workers, because they would stay active for other projects on the same port.',
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
