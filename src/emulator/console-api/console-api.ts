import { createHash, timingSafeEqual } from 'node:crypto';
import { Hono, type Context } from 'hono';
import { errorResponse, HttpError } from '../http-error.js';
import { readJson } from '../read-json.js';
import type { Secrets } from '../secrets.js';
import type { ConsoleRoute, RouteInput } from './console-route.js';
import { describeApi } from './openapi.js';

/** What the console and the command call: `/console/api/…`. */
export function createConsoleApi(deps: {
  routes: ConsoleRoute[];
  /** Made anew at each start; who has it may do everything. */
  token: string;
  origin: string;
  secrets: Secrets;
}): (request: Request) => Response | Promise<Response> {
  const { routes, token, origin, secrets } = deps;
  const holdsToken = createTokenCheck(token);
  const document = describeApi(routes, origin);

  const answer = async (route: ConsoleRoute, c: Context): Promise<Response> => {
    const value = await route.run(inputOf(c));
    if (value instanceof Response) return value;
    if (value === undefined) return new Response(null, { status: 204 });
    return jsonResponse(200, route.reveals ? value : secrets.maskValue(value));
  };

  const app = new Hono().basePath('/console/api');
  app.use('*', async (c, next) => {
    if (!holdsToken(c.req.raw))
      return errorResponse(401, 'This needs the token of this start of the platform.');
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

/** Compares digests: how long that takes says nothing about the token. */
function createTokenCheck(token: string): (request: Request) => boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  const expected = digest(token);
  return ({ headers }) => {
    const bearer = /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1];
    const given = headers.get('x-platform-token') ?? bearer;
    return given !== undefined && timingSafeEqual(digest(given), expected);
  };
}
