import { Hono } from 'hono';
import { failureResponse, fromForeignPage, unknownPage, wrongHost } from './failure-response.js';
import { wasForwarded, type HostCheck } from './check-host-and-origin.js';

type Respond = (request: Request) => Response | Promise<Response>;

/** What the console port serves. */
export interface ConsoleSurfaces {
  /** Checks by itself where a request comes from: browsers are sent here from other origins. */
  oauth: Respond;
  consoleApi: Respond;
  files: (request: Request) => Response | undefined | Promise<Response | undefined>;
}

export function createConsoleApp(
  surfaces: ConsoleSurfaces,
  hostCheck: HostCheck,
  report: (error: unknown) => void,
): (request: Request) => Promise<Response> {
  /** Pages and pictures have no secrets, and links lead to them from anywhere. */
  const files = async (request: Request): Promise<Response> =>
    hostCheck.hasForeignOrigin(request)
      ? fromForeignPage(request)
      : ((await surfaces.files(request)) ?? unknownPage());

  const app = new Hono({ strict: false })
    .all('/oauth/*', ({ req }) => surfaces.oauth(req.raw))
    .all('/console/api/*', ({ req }) =>
      hostCheck.isFromForeignPage(req.raw) ? fromForeignPage(req.raw) : surfaces.consoleApi(req.raw),
    )
    .get('/', ({ req }) => files(req.raw))
    .get('/console/*', ({ req }) => files(req.raw));
  app.notFound(() => unknownPage());
  app.onError((error, { req }) => failureResponse(error, req.url, report));

  return async (request) =>
    hostCheck.host(request.url) === 'local' && !wasForwarded(request)
      ? app.fetch(request)
      : wrongHost(request);
}
