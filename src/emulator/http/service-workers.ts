import { randomUUID } from 'node:crypto';
import { isNavigation } from './check-host-and-origin.js';

/**
 * Keeps service workers off the public port. Projects that use the port at different times share an origin, so a service
 * worker registered by a page of one project would intercept requests to the next project, such as an OAuth callback.
 */
export function createServiceWorkerGuard(
  origin: string,
): (request: Request, serve: () => Promise<Response>) => Promise<Response> {
  // Any other address is new at each start, so nothing is cached for it.
  const stale = new URL(origin).hostname === '127.0.0.1' ? '"cache", "storage"' : '"storage"';
  // Only the browser can remember that its service workers were cleared. A marker on the server could be used up by another
  // browser, another program, or a page that is closed before the response arrives.
  const start = randomUUID();

  return async ({ url, method, headers }, serve) => {
    // Firefox does not update the service worker if this response also clears its storage.
    if (headers.has('service-worker')) return unregisteringWorker();
    const response = withoutWiderScope(await serve());
    // Only a page opened with GET counts. Prefetched pages and pages framed by another site have separate storage, and a
    // form submitted by another site does not send the cookie.
    const opens = method === 'GET' && isNavigation(headers);
    if (!opens) return response;
    const cookie = `platform-start-${new URL(url).port}=${start}`;
    if (headers.get('cookie')?.split('; ').includes(cookie)) return response;
    return changeHeaders(response, (changed) => {
      changed.append('Clear-Site-Data', stale);
      changed.append('Set-Cookie', `${cookie}; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax`);
    });
  };
}

/**
 * The response to every request for a service worker's script. If a program that had the port earlier has registered a
 * service worker, the browser's next update check replaces that service worker with this one, which removes itself. A
 * rejected request would leave the old one active. The scope is allowed because an update must allow the old one's scope.
 */
const unregisteringWorker = (): Response =>
  new Response(
    `// The local platform does not serve service workers, because they would stay active for other projects on the same port.
addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(registration.unregister()));
`,
    {
      headers: {
        'Content-Type': 'text/javascript; charset=utf-8',
        'Cache-Control': 'no-store',
        'Service-Worker-Allowed': '/',
      },
    },
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
