import { createRouter } from './router.js';
import { failureResponse, fromForeignPage, unknownPage, wrongHost } from './failure-response.js';
import type { RawHeaders } from './raw-request-headers.js';
import { wasForwarded, type HostCheck } from './check-host-and-origin.js';
import { createServiceWorkerGuard } from './service-workers.js';

type Respond = (request: Request) => Response | Promise<Response>;

/** The handlers of the public port. */
export interface PublicSurfaces {
  publicEndpoint: (request: Request, rawHeaders?: RawHeaders, call?: string) => Promise<Response>;
  content: Respond;
  assets: Respond;
  rawEnvelope: Respond;
  management: Respond;
}

export function createPublicApp(
  origin: string,
  surfaces: PublicSurfaces,
  hostCheck: HostCheck,
  report: (error: unknown) => void,
): PublicSurfaces['publicEndpoint'] {
  /** Pages from other sites can call only public endpoints. */
  const own =
    (respond: Respond): Respond =>
    (request) =>
      hostCheck.isFromForeignPage(request) ? fromForeignPage(request) : respond(request);

  const app = createRouter({ strict: false })
    .all('/content/integrations/*', ({ req }) => surfaces.content(req.raw))
    .all('/assets/integrations/*', ({ req }) => surfaces.assets(req.raw))
    .all('/:version{v[0-9]+}', ({ req }) => own(surfaces.rawEnvelope)(req.raw))
    .all('/api/*', ({ req }) => own(surfaces.management)(req.raw))
    .get('/healthz', () => Response.json({ ok: true }))
    .get('/', (c) => c.text(howToOpenTheConsole));
  app.notFound(() => unknownPage());
  app.onError((error, { req }) => failureResponse(error, req.url, report));

  const guarded = createServiceWorkerGuard(origin);

  const serve: PublicSurfaces['publicEndpoint'] = async (request, rawHeaders, call) => {
    const { url } = request;
    // Most requests are for public endpoints and do not need the router.
    if (!isPublicEndpoint(url)) return app.fetch(request);
    try {
      return await surfaces.publicEndpoint(request, rawHeaders, call);
    } catch (error) {
      return failureResponse(error, url, report);
    }
  };

  return async (request, rawHeaders, call) => {
    const { url } = request;
    const host = hostCheck.host(url);
    if (host === 'unknown') return wrongHost(request);
    if (!isPublic(url) && (host === 'public' || wasForwarded(request))) return wrongHost(request);
    return guarded(request, () => serve(request, rawHeaders, call));
  };
}

const isPublicEndpoint = (url: string): boolean => /^\w+:[/][/][^/]+[/]v1[/]integrations([/?]|$)/.test(url);

const isPublic = (url: string): boolean =>
  /^\w+:[/][/][^/]+[/](v1|content|assets)[/]integrations[/]/.test(url);

/** Other users on this machine can read this text, so it does not contain the key. */
const howToOpenTheConsole = `This is the public port of the local platform. The console is on another port. To open the console, press b in the terminal where platform dev runs, or run this in the integration's folder: platform open`;
