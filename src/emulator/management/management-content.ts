import type { Context } from 'hono';
import type { SpaceContent } from '../spaces/space-content.js';
import { localUser } from '../../protocol/workspace.js';
import { invalid, notFound } from '../http/http-error.js';
import { paginate } from './paging.js';
import { readJson } from '../http/read-json.js';
import { callOf, checkPlacement } from './check-access.js';
import type { ManagementRoutes } from './management-routes.js';

export const addContentRoutes: ManagementRoutes = (app, { registry, spaces, contents, contentEvents }) => {
  app.use('/spaces/:space/*', async (c, next) => {
    await contents.get(c.req.param('space'))?.ready;
    await next();
  });
  app.get('/user', (c) => c.json({ object: 'user', ...localUser }));
  app.get('/spaces/:space', (c) => {
    checkPlacement(registry, c.get('bearer'), 'space', c.req.param('space'));
    return c.json(spaces.space(c.req.param('space')));
  });
  for (const revision of ['content', 'revisions/:revision'] as const) {
    const below = `/spaces/:space/${revision}` as const;
    const contentOf = (c: Context): SpaceContent => spaces.content(c.req.param('space') ?? '');
    const format = (c: Context): string | undefined => c.req.query('format');
    app.use(`${below}/*`, async (c, next) => {
      checkPlacement(registry, c.get('bearer'), 'space', c.req.param('space'));
      await next();
    });
    app.get(below, (c) => {
      const { git, ...revision } = contentOf(c).revisionResource((c as Context).req.param('revision'));
      return c.json({ ...revision, ...(c.req.query('metadata') !== 'false' && { git }) });
    });
    app.get(`${below}/pages`, (c) => c.json({ pages: contentOf(c).pages() }));
    app.get(`${below}/files`, (c) => c.json(paginate(contentOf(c).files(), (name) => c.req.query(name))));
    app.get(`${below}/files/:file`, (c) => c.json(contentOf(c).file(c.req.param('file'))));
    app.get(`${below}/page/:page`, async (c) =>
      c.json(await contentOf(c).page(c.req.param('page'), format(c))),
    );
    app.get(`${below}/page/:page/document`, async (c) =>
      c.json(await contentOf(c).document(c.req.param('page'))),
    );
    app.get(`${below}/path/:path{.+}`, async (c) =>
      c.json(await contentOf(c).pageByPath(c.req.param('path'), format(c))),
    );
    app.get(`${below}/documents/:document`, async (c) =>
      c.json(await contentOf(c).document(c.req.param('document'))),
    );
  }
  app.get('/spaces/:space/revisions/:revision/changes', (c) => {
    const { space, revision } = c.req.param();
    // `metadata=false` has nothing to leave out, because a Git sync does not count as a change.
    const { changes: all, mergedFrom } = spaces.content(space).changes(revision);
    const limit = c.req.query('limit');
    const { items: changes } =
      limit === undefined ? { items: all } : paginate(all, (name) => (name === 'limit' ? limit : undefined));
    const more = all.length - changes.length;
    return c.json({ changes, ...(more > 0 && { more }), ...mergedFrom });
  });
  app.get('/urls/content', async (c) => {
    const url = c.req.query('url') ?? '';
    const found = spaces.at(url);
    if (found === undefined) throw notFound(`No space is published at ${url}.`);
    checkPlacement(registry, c.get('bearer'), 'space', found.space);
    await contents.get(found.space)?.ready;
    const page = spaces.content(found.space).findPage(found.path);
    return c.json({ space: spaces.space(found.space), ...(page && { page }) });
  });
  app.get('/spaces/:space/documents/:document', async (c) => {
    const { space, document } = c.req.param();
    checkPlacement(registry, c.get('bearer'), 'space', space);
    return c.json(await spaces.content(space).document(document));
  });
  app.post('/spaces/:space/git/:direction{import|export}', async (c) => {
    checkPlacement(registry, c.get('bearer'), 'space', c.req.param('space'));
    const { url, ref } = await readJson(c.req.raw);
    if (typeof url !== 'string' || typeof ref !== 'string') throw invalid('url and ref must be strings.');
    // Nothing is fetched or pushed, because the pages are already in the folder. Scripts still receive the sync events.
    await contentEvents.sync(c.req.param('space'), callOf(c.req.raw));
    return c.json({}, 202);
  });
};
