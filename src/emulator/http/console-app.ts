import { createRouter } from './router.js';
import { failureResponse, fromForeignPage, unknownPage, wrongHost } from './failure-response.js';
import { wasForwarded, type HostCheck } from './check-host-and-origin.js';
import { createServiceWorkerGuard } from './service-workers.js';

type Respond = (request: Request) => Response | Promise<Response>;

/** The handlers of the console port. */
export interface ConsoleSurfaces {
  /** This handler checks origins itself, because browsers are redirected here from other origins. */
  oauth: Respond;
  consoleApi: Respond;
  files: (request: Request) => Response | undefined | Promise<Response | undefined>;
}

export function createConsoleApp(
  origin: string,
  surfaces: ConsoleSurfaces,
  hostCheck: HostCheck,
  report: (error: unknown) => void,
): (request: Request) => Promise<Response> {
  /** Pages and images contain no secrets, so any site may link to them. */
  const files = async (request: Request): Promise<Response> =>
    hostCheck.hasForeignOrigin(request)
      ? fromForeignPage(request)
      : ((await surfaces.files(request)) ?? unknownPage());

  const app = createRouter({ strict: false })
    .all('/oauth/*', ({ req }) => surfaces.oauth(req.raw))
    .all('/console/api/*', ({ req }) =>
      hostCheck.isFromForeignPage(req.raw) ? fromForeignPage(req.raw) : surfaces.consoleApi(req.raw),
    )
    .get('/', ({ req }) => files(req.raw))
    .get('/console/*', ({ req }) => files(req.raw));
  app.notFound(() => unknownPage());
  app.onError((error, { req }) => failureResponse(error, req.url, report));

  // No other program can have used any other address, so nothing has to be removed there.
  const isShared = new URL(origin).hostname === '127.0.0.1';
  const guarded = isShared ? createServiceWorkerGuard(origin) : undefined;
  return async (request) =>
    hostCheck.host(request.url) === 'local' && !wasForwarded(request)
      ? (guarded?.(request, async () => app.fetch(request)) ?? app.fetch(request))
      : wrongHost(request);
}
