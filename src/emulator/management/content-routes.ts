import { invalid, notFound } from '../http-error.js';
import { isObject, readJson } from '../read-json.js';
import { checkPlacement } from './access.js';
import { reaches, type ManagementRoutes } from './management-routes.js';

export const addContentRoutes: ManagementRoutes = (app, { registry, spaces }) => {
  app.get('/user', (c) => c.json({ object: 'user', id: 'user_local', displayName: 'Local user' }));
  app.get('/spaces/:space', (c) => {
    checkPlacement(registry, c.get('bearer'), 'space', c.req.param('space'));
    return c.json(spaces.space(c.req.param('space')));
  });
  app.get('/spaces/:space/content', (c) => {
    checkPlacement(registry, c.get('bearer'), 'space', c.req.param('space'));
    return c.json(spaces.content(c.req.param('space')));
  });
  app.get('/spaces/:space/revisions/:revision', (c) => {
    const { space, revision } = c.req.param();
    checkPlacement(registry, c.get('bearer'), 'space', space);
    // No content is kept here, so every revision holds the same.
    return c.json({ ...spaces.content(space), id: revision });
  });
  app.get('/spaces/:space/revisions/:revision/changes', (c) => {
    const { space } = c.req.param();
    checkPlacement(registry, c.get('bearer'), 'space', space);
    // Which of them changed is known no more than what they hold.
    const { pages } = spaces.content(space);
    return c.json({ changes: pages.map((page) => ({ type: 'page_edited', page, attributes: {} })) });
  });
  app.get('/spaces/:space/revisions/:revision/page/:page', (c) => {
    const { space, page } = c.req.param();
    checkPlacement(registry, c.get('bearer'), 'space', space);
    return c.json(spaces.page(space, page));
  });
  app.get('/urls/content', (c) => {
    const url = c.req.query('url') ?? '';
    const space = spaces.at(url);
    if (space === undefined) throw notFound(`No space is at ${url}.`);
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
    if (typeof url !== 'string' || typeof ref !== 'string') throw invalid('url and ref have to be texts.');
    // There is no Git here: what a sync leads to is for `platform trigger` to let happen.
    return c.json({}, 202);
  });
  app.post('/orgs/:organization/conversations', async (c) => {
    const { organization } = c.req.param();
    const here = registry.installations.all().filter((one) => one.organization === organization);
    if (!here.some(({ id }) => reaches(c.get('bearer'), id)))
      throw notFound(`The integration is not installed in the organization ${organization}.`);
    return c.json({}, 202);
  });
  app.get('/orgs/:organization/sites/:site/adaptive-schema', (c) => {
    const { organization, site } = c.req.param();
    checkPlacement(registry, c.get('bearer'), 'site', site);
    return c.json(spaces.adaptiveSchema(organization, site));
  });
  app.put('/orgs/:organization/sites/:site/adaptive-schema', async (c) => {
    const { organization, site } = c.req.param();
    checkPlacement(registry, c.get('bearer'), 'site', site);
    const { jsonSchema } = await readJson(c.req.raw);
    if (!isObject(jsonSchema)) throw invalid('jsonSchema has to be an object.', { path: 'jsonSchema' });
    spaces.adapt(organization, site, { jsonSchema });
    return c.json(spaces.adaptiveSchema(organization, site));
  });
  app.get('/orgs/:organization/sites/:site', (c) => {
    const { organization, site } = c.req.param();
    checkPlacement(registry, c.get('bearer'), 'site', site);
    return c.json(spaces.site(organization, site));
  });
};
