import { Hono, type Context } from 'hono';
import { errorResponse, HttpError } from '../../http/http-error.js';
import { readJson } from '../../http/read-json.js';
import type { Secrets } from '../../mask/platform-secrets.js';
import type { ConsoleRoute, RouteInput } from './console-route.js';
import { describeApi } from './openapi.js';
import { createPageCount } from './routes/page-routes.js';

/** What the console and the command call: `/console/api/…`. */
export function createConsoleApi(deps: {
  routes: ConsoleRoute[];
  /** The key is new at each start; whoever has it may do everything. */
  holdsKey(request: Request): boolean;
  origin: string;
  secrets: Secrets;
}): (request: Request) => Response | Promise<Response> {
  const { holdsKey, origin, secrets } = deps;
  const pages = createPageCount();
  const routes = [...deps.routes, pages.route];
  const document = describeApi(routes, origin);

  const answer = async (route: ConsoleRoute, c: Context): Promise<Response> => {
    const value = await route.run(inputOf(c));
    if (value instanceof Response) return value;
    if (value === undefined) return new Response(null, { status: 204 });
    return jsonResponse(200, route.reveals ? value : secrets.maskValue(value));
  };

  const app = new Hono().basePath('/console/api');
  app.use('*', async (c, next) => {
    if (!holdsKey(c.req.raw))
      return errorResponse(401, 'This needs the key of this start of the platform, in X-Platform-Token.');
    pages.note(c.req.raw);
    return next();
  });
  app.get('/openapi.json', (c) => c.json(document));
  for (const route of routes) {
    app.on(route.method, route.path.replaceAll(/[{](\w+)[}]/g, ':$1'), (c) => answer(route, c));
  }
  app.notFound(() =>
    errorResponse(404, 'The API has nothing at this address. See /console/api/openapi.json.'),
  );
  app.onError((error) => {
    if (!(error instanceof HttpError)) throw error;
    const { status, code, message, details } = error;
    return jsonResponse(status, secrets.maskValue({ error: message, code, ...details }));
  });
  return (request) => app.fetch(request);
}

const jsonResponse = (status: number, value: unknown): Response =>
  Response.json(value, { status, headers: { 'Cache-Control': 'no-store' } });

const inputOf = (c: Context): RouteInput => ({
  part: (name) => c.req.param(name) ?? '',
  query: (name) => c.req.query(name),
  body: () => readJson(c.req.raw),
  request: c.req.raw,
});
