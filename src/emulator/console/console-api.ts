import type { Context } from 'hono';
import { createRouter } from '../http/router.js';
import { startProof } from '../../base/node/start-proof.js';
import { valueAt } from '../../base/value-at-path.js';
import type { Handlers, RouteName } from '../../contract/console-api.js';
import {
  routes as bodyRoutes,
  type InputError,
  type ServedRoute,
} from '../../contract/generated/body-routes.js';
import { routes as queryRoutes } from '../../contract/generated/query-routes.js';
import { errorResponse, invalid, isHttpError, type HttpError } from '../http/http-error.js';
import { readJson } from '../http/read-json.js';
import type { Readers } from '../spaces/readers.js';
import type { PlatformBase } from '../state/platform-base.js';

const served = { ...queryRoutes, ...bodyRoutes } as Readonly<Record<RouteName, ServedRoute>>;

/** The API that the console and the CLI use: `/console/api/…`. */
export function createConsoleApi(
  deps: Pick<PlatformBase, 'addresses' | 'secrets'> & {
    handlers: Handlers<Exclude<RouteName, 'GET /pages'>>;
    /** The key grants full access, and changes each time the platform starts. */
    holdsKey(request: Request): boolean;
    key: string;
    readers: Pick<Readers, 'connected'>;
  },
): (request: Request) => Response | Promise<Response> {
  const { holdsKey, addresses, secrets } = deps;
  const pages = createPageCount(deps.readers.connected);
  const handlers: Handlers<RouteName> = { ...deps.handlers, ...pages.handlers };

  const respond = async (name: RouteName, c: Context): Promise<Response> => {
    const route = served[name];
    const handle = handlers[name] as (input: unknown, request: Request) => unknown;
    const output = await handle(await readInput(route, c), c.req.raw);
    if (output === undefined) return new Response(null, { status: 204 });
    if (output instanceof Uint8Array) return bytesResponse(output);
    if (output instanceof ReadableStream) return streamResponse(output);
    return jsonResponse(200, route.reveals ? output : secrets.maskValue(output));
  };

  const app = createRouter().basePath('/console/api');
  // No key is required here, because the response only proves that this platform knows the key.
  app.get('/start', (c) => {
    const nonce = c.req.query('nonce') ?? '';
    return /^[0-9a-f]{32}$/.test(nonce)
      ? c.text(startProof(deps.key, nonce))
      : errorResponse(400, 'nonce must be 32 hexadecimal digits.');
  });
  app.use('*', async (c, next) => {
    if (!holdsKey(c.req.raw))
      return errorResponse(
        401,
        'The key in the header X-Platform-Token is missing or invalid. The key changes each time the platform starts.',
      );
    pages.note(c.req.raw);
    return next();
  });
  app.get('/openapi.json', async (c) => {
    const { document } = await import('../../contract/generated/openapi.js');
    return c.json({ ...document, servers: [{ url: `${addresses.console}/api` }] });
  });
  for (const name of Object.keys(served) as RouteName[]) {
    const [method = '', path = ''] = name.split(' ');
    app.on(method, path.replaceAll(/[{](\w+)[}]/g, ':$1'), (c) => respond(name, c));
  }
  app.notFound(() => errorResponse(404, 'Unknown URL. See /console/api/openapi.json.'));
  app.onError((error) => {
    if (!isHttpError(error)) throw error;
    const { status, code, message, details } = error;
    return jsonResponse(status, secrets.maskValue({ error: message, code, ...details }));
  });
  return (request) => app.fetch(request);
}

/** Reads a route's input from the path and from either the query or the JSON body. */
async function readInput(
  { validate, takesBody, maxBodyMiB }: ServedRoute,
  { req }: Context,
): Promise<object> {
  const fields = takesBody ? await readJson(req.raw, maxBodyMiB) : req.query();
  const input = { ...fields, ...req.param() };
  if (!validate(input)) throw wrongInput(input, validate.errors?.[0]);
  return input;
}

const kinds: Record<string, string> = {
  string: 'a string',
  array: 'a list of strings',
  object: 'an object',
  boolean: 'true or false',
  integer: 'a number',
};

/** Returns an error that specifies the invalid field, or the list if one of its items is invalid. */
function wrongInput(input: object, error: InputError | undefined): HttpError {
  const { instancePath = '', keyword, params = {} } = error ?? {};
  const { missingProperty = [], type = 'integer', allowedValues } = params;
  const names = instancePath.split('/').slice(1).concat(missingProperty);
  const isItem = /^\d+$/.test(names.at(-1) ?? '');
  const path = (isItem ? names.slice(0, -1) : names).join('.');
  switch (keyword) {
    case 'required':
    case 'minLength':
      return invalid(`${path} is missing.`, { path });
    case 'enum':
      return invalid(`Unknown ${path}: ${String(valueAt(input, names))}.`, { path, known: allowedValues });
    default:
      return invalid(`${path} must be ${kinds[isItem ? 'array' : type]}.`, { path });
  }
}

const jsonResponse = (status: number, value: unknown): Response =>
  Response.json(value, { status, headers: { 'Cache-Control': 'no-store' } });

/** Ignores the content type set by the author's code, because an HTML page on this origin could act as the console. */
const bytesResponse = (bytes: Uint8Array): Response =>
  new Response(Buffer.from(bytes), {
    headers: {
      'Content-Type': 'application/octet-stream',
      'Content-Disposition': 'attachment',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
    },
  });

const streamResponse = (events: ReadableStream): Response =>
  new Response(events, { headers: { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' } });

/** Counts the connected console and site pages. `platform open` waits for the page that it opens to connect. */
function createPageCount(siteReaders: () => number): {
  note(request: Request): void;
  handlers: Handlers<'GET /pages'>;
} {
  let connected = 0;
  return {
    note({ url, headers }) {
      // Counts only browsers, which send this header. Commands also read the stream.
      if (headers.has('sec-fetch-site') && new URL(url).pathname.endsWith('/stream')) connected += 1;
    },
    handlers: { 'GET /pages': () => ({ connected, site: siteReaders() }) },
  };
}
