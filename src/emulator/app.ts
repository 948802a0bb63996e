import { Hono } from 'hono';
import { apiErrorResponse, errorResponse, HttpError } from './http-error.js';
import type { HostCheck } from './host-check.js';

type Answer = (request: Request) => Response | Promise<Response>;

/** What answers at which address. */
export interface Surfaces {
  publicEndpoint: Answer;
  content: Answer;
  rawEnvelope: Answer;
  management: Answer;
  oauth: Answer;
  consoleApi: Answer;
  console: (request: Request) => Response | undefined | Promise<Response | undefined>;
}

export function createApp(
  surfaces: Surfaces,
  hostCheck: HostCheck,
  failed: (error: unknown) => void,
): (request: Request) => Promise<Response> {
  /** A page of another site may call what is public, and nothing else. */
  const own =
    (answer: Answer): Answer =>
    (request) =>
      hostCheck.foreign(request)
        ? forbidden(request, 'A page of another origin may not call the local platform.')
        : answer(request);
  const page = own(async (request) => (await surfaces.console(request)) ?? unknownPage());

  const app = new Hono({ strict: false })
    .all('/content/integrations/*', ({ req }) => surfaces.content(req.raw))
    .all('/:version{v[0-9]+}', ({ req }) => own(surfaces.rawEnvelope)(req.raw))
    .all('/api/*', ({ req }) => own(surfaces.management)(req.raw))
    .all('/oauth/*', ({ req }) => own(surfaces.oauth)(req.raw))
    .all('/console/api/*', ({ req }) => own(surfaces.consoleApi)(req.raw))
    .get('/healthz', () => Response.json({ ok: true }))
    .get('/', ({ req }) => page(req.raw))
    .get('/console/*', ({ req }) => page(req.raw));
  app.notFound(() => unknownPage());
  const failure = (error: unknown, url: string): Response => {
    if (error instanceof HttpError) return errorResponse(error.status, error.message);
    failed(error);
    if (isStoreError(error)) {
      const { message, code, hint } = error;
      return isApi(url)
        ? apiErrorResponse(507, message)
        : Response.json({ error: message, code, hint }, { status: 507 });
    }
    const message = 'The local platform failed. This is a bug in it.';
    return isApi(url) ? apiErrorResponse(500, message) : errorResponse(500, message);
  };
  app.onError((error, { req }) => failure(error, req.url));

  return async (request) => {
    const { url } = request;
    const host = hostCheck.host(url);
    if (host === 'unknown' || (host === 'public' && !isPublic(url))) {
      return forbidden(request, 'The local platform does not answer under this host or at this address.');
    }
    // Most requests come here: they need no router.
    if (!isPublicEndpoint(url)) return app.fetch(request);
    try {
      return await surfaces.publicEndpoint(request);
    } catch (error) {
      return failure(error, url);
    }
  };
}

/** By name: the rooms are bundled apart, so each bundle has its own copy of the class. */
const isStoreError = (error: unknown): error is Error & { code: string; hint?: string } =>
  error instanceof Error &&
  error.name === 'UserError' &&
  'code' in error &&
  String(error.code).startsWith('store/');

const forbidden = ({ url }: Request, message: string): Response =>
  isApi(url) ? apiErrorResponse(403, message) : errorResponse(403, message);

const isApi = (url: string): boolean => /^\w+:[/][/][^/]+[/]api([/?]|$)/.test(url);

const unknownPage = (): Response => errorResponse(404, 'There is nothing at this address.');

const isPublicEndpoint = (url: string): boolean => /^\w+:[/][/][^/]+[/]v1[/]integrations([/?]|$)/.test(url);

const isPublic = (url: string): boolean => /^\w+:[/][/][^/]+[/](v1|content)[/]integrations[/]/.test(url);
