import { randomUUID } from 'node:crypto';
import { isNavigation } from './check-host-and-origin.js';

/**
 * Keeps service workers and cached files of other programs off an address that they can use at other times. Otherwise, a
 * service worker registered by a page of one project would intercept requests to the next project, such as an OAuth callback.
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
    const registers = headers.has('service-worker');
    const response = registers ? departingWorker() : withoutWiderScope(await serve());
    // Only a page opened with GET counts. Prefetched pages and pages framed by another site have separate storage, and a
    // form submitted by another site does not send the cookie.
    const opens = method === 'GET' && isNavigation(headers);
    if (!opens) return response;
    const cookie = `platform-start-${new URL(url).port}=${start}`;
    if (headers.get('cookie')?.split('; ').includes(cookie)) return response;
    return changeHeaders(response, (changed) => {
      changed.append('Clear-Site-Data', stale);
      if (opens) changed.append('Set-Cookie', `${cookie}; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax`);
    });
  };
}

/**
 * Replaces a service worker when the browser checks for its new version, and removes itself. The scope is that of any worker
 * that another program can have registered.
 */
const departingWorker = (): Response =>
  new Response(
    `// The local platform removes service workers, because they would stay active for other programs on the same port.
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(leave()));
async function leave() {
  await self.registration.unregister();
  for (const page of await self.clients.matchAll({ type: 'window' })) await page.navigate(page.url);
}
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
