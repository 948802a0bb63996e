import { extname, join } from 'node:path';
import { imageTypes } from '../../emulator/http/content-types.js';
import { respondWithBuiltFile } from '../../emulator/http/built-file.js';
import { errorResponse, HttpError, isHttpError } from '../../emulator/http/http-error.js';
import { readJson } from '../../emulator/http/read-json.js';
import { createServiceWorkerGuard } from '../../emulator/http/service-workers.js';
import { moveStyles } from '../island.js';
import { createSiteContent } from '../site-content.js';
import type { OpenSite } from '../site-options.js';
import { createRequestCheck, pageHeaders } from './check-request.js';
import { createFollowers } from './follow-site.js';
import { createReaderActions } from './reader-actions.js';
import { createPageSearch } from './search-pages.js';
import { createSitePages } from './site-pages.js';
import { createVisitors } from './visitors.js';

moveStyles();

/**
 * The documentation site. Everyone on this machine can read its pages, but only readers with the key can perform actions.
 */
export const openSite: OpenSite = (options) => {
  const { folder, origin, key, platform, timers } = options;
  const check = createRequestCheck(origin, key);
  const guard = createServiceWorkerGuard(origin);
  const content = createSiteContent(platform.content, timers);
  const pages = createSitePages({ ...options, content });
  const search = createPageSearch({ spaces: () => platform.readers.spaces(), content, timers });
  const actions = createReaderActions({ ...options, pages });
  const visitors = createVisitors(options);
  const followers = createFollowers({ platform, timers });

  const act = async (request: Request, path: string): Promise<Response> => {
    check.checkAction(request);
    if (path === '/~/follow') return followers.follow();
    const body = await readJson(request);
    switch (path) {
      case '/~/render':
        return Response.json(await pages.render(body));
      case '/~/view':
        await actions.view(body, request.headers);
        return new Response(null, { status: 204 });
      case '/~/rate':
        await actions.rate(body, request.headers);
        return new Response(null, { status: 204 });
      case '/~/visitor': {
        const missing = body['page'] === '' ? pages.spaceAt(String(body['space'])) : undefined;
        const { space, url } = missing
          ? { space: missing, url: `${origin}${missing.path}` }
          : pages.find(body['space'], body['page']);
        const { pathname: shown } = new URL(url);
        return Response.json(visitors.show(space, shown, body['conditions']), { headers: ownOnly });
      }
      case '/~/sign-out':
        visitors.signOut();
        return new Response(null, { status: 204 });
      default:
        throw new HttpError(404, 'not-found', 'Unknown site action.');
    }
  };

  const signIn = async (path: string, query: URLSearchParams): Promise<Response> => {
    await visitors.signIn(pages.spaceAt(path), query.get('jwt_token') ?? '');
    query.delete('jwt_token');
    // A URL that starts with two slashes would point to a different host.
    const location = `/${path.replace(/^[/\\]+/, '')}${query.size > 0 ? `?${query}` : ''}`;
    return new Response(null, {
      status: 303,
      headers: { ...ownOnly, Location: location, 'Referrer-Policy': 'no-referrer' },
    });
  };

  const read = async (request: Request, path: string): Promise<Response> => {
    const { searchParams } = new URL(request.url);
    if (searchParams.has('jwt_token')) return signIn(path, searchParams);
    const [, space, below] = /^(\/(?:[^/]+\/)?)~\/revisions\/[^/]+\/(.*)$/.exec(path) ?? [];
    // Only the current pages are stored, so they are shown for every revision.
    if (space !== undefined) return Response.redirect(`${origin}${space}${below}`, 302);
    if (path === '/~/app.js' || path === '/~/app.css')
      return (await respondWithBuiltFile(request, join(folder, path.slice(3)))) ?? notFound();
    if (path === '/~/search.json')
      return Response.json(
        await search.find(searchParams.get('words') ?? '', request.signal, searchParams.getAll('recent')),
        { headers: ownOnly },
      );
    // The script of a page may only read URLs below `/~/`, so Markdown is there too.
    const copied = /^\/~\/pages(\/.*)/.exec(path)?.[1];
    if ((path.startsWith('/~/') && copied === undefined) || path === '/favicon.ico') return notFound();
    // A folder is read only after the platform has started.
    for (const { id } of platform.readers.spaces()) await platform.content(id)?.ready;
    const markdown = pages.markdown(copied ?? path);
    if (markdown !== undefined)
      return new Response(markdown, { headers: { ...ownOnly, 'Content-Type': 'text/plain; charset=utf-8' } });
    if (copied !== undefined) return notFound();
    const file = await pages.file(path);
    if (file) return fileResponse(path, file);
    const { status, html } = await pages.draw(
      path,
      check.mayRender(request.headers) ? request.signal : undefined,
    );
    return new Response(html, { status, headers: pageHeaders(origin) });
  };

  return {
    async fetch(request) {
      const { pathname } = new URL(request.url);
      try {
        check.check(request);
        if (request.method === 'POST') return await act(request, pathname);
        return await guard(request, () => read(request, pathname));
      } catch (error) {
        if (!isHttpError(error)) throw error;
        return errorResponse(error.status, error.message, ownOnly);
      }
    },
    close: followers.close,
  };
};

/** Shows images without any of the site's permissions, and downloads all other files. */
function fileResponse(path: string, bytes: Uint8Array): Response {
  const type = imageTypes[extname(path).toLowerCase()];
  return new Response(new Uint8Array(bytes), {
    headers: {
      ...ownOnly,
      'Content-Type': type ?? 'application/octet-stream',
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      ...(type === undefined && { 'Content-Disposition': 'attachment' }),
    },
  });
}

const ownOnly = {
  'Cache-Control': 'no-store',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
};

const notFound = (): Response => errorResponse(404, 'Nothing is served at this URL.', ownOnly);
