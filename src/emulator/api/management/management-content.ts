import { localUser } from '../../../protocol/workspace.js';
import { invalid, notFound } from '../../http/http-error.js';
import { paginate } from './paging.js';
import { readJson } from '../../http/read-json.js';
import { checkPlacement } from './check-access.js';
import type { ManagementRoutes } from './management-routes.js';

export const addContentRoutes: ManagementRoutes = (app, { registry, spaces }) => {
  app.get('/user', (c) => c.json({ object: 'user', ...localUser }));
  app.get('/spaces/:space', (c) => {
    checkPlacement(registry, c.get('bearer'), 'space', c.req.param('space'));
    return c.json(spaces.space(c.req.param('space')));
  });
  // Content is not stored, so every revision has the same pages.
  for (const revision of ['content', 'revisions/:revision'] as const) {
    const below = `/spaces/:space/${revision}` as const;
    app.use(`${below}/*`, async (c, next) => {
      checkPlacement(registry, c.get('bearer'), 'space', c.req.param('space'));
      await next();
    });
    app.get(below, (c) => {
      const { space, revision: id } = c.req.param() as { space: string; revision?: string };
      return c.json({ ...spaces.content(space), ...(id !== undefined && { id }) });
    });
    app.get(`${below}/pages`, (c) => c.json({ pages: spaces.content(c.req.param('space')).pages }));
    app.get(`${below}/files`, (c) => c.json(paginate([], (name) => c.req.query(name))));
    app.get(`${below}/page/:page`, (c) => c.json(spaces.page(c.req.param('space'), c.req.param('page'))));
  }
  app.get('/spaces/:space/revisions/:revision/changes', (c) => {
    const { space } = c.req.param();
    // Content is not stored, so all pages count as changed.
    const { pages } = spaces.content(space);
    return c.json({ changes: pages.map((page) => ({ type: 'page_edited', page, attributes: {} })) });
  });
  app.get('/urls/content', (c) => {
    const url = c.req.query('url') ?? '';
    const space = spaces.at(url);
    if (space === undefined) throw notFound(`There is no space at ${url}.`);
    checkPlacement(registry, c.get('bearer'), 'space', space);
    return c.json({ space: spaces.space(space) });
  });
  app.get('/spaces/:space/documents/:document', (c) => {
    const { space } = c.req.param();
    checkPlacement(registry, c.get('bearer'), 'space', space);
    spaces.space(space);
    return c.json({ object: 'document', data: {}, nodes: [] });
  });
  app.post('/spaces/:space/git/:direction{import|export}', async (c) => {
    checkPlacement(registry, c.get('bearer'), 'space', c.req.param('space'));
    const { url, ref } = await readJson(c.req.raw);
    if (typeof url !== 'string' || typeof ref !== 'string') throw invalid('url and ref must be strings.');
    // There is no Git here. Use `platform trigger` to send the events that follow a sync.
    return c.json({}, 202);
  });
};
