import { checkPlacement } from './access.js';
import type { ManagementRoutes } from './management-routes.js';

export const addContentRoutes: ManagementRoutes = (app, { registry, spaces }) => {
  app.get('/spaces/:space', (c) => {
    checkPlacement(registry, c.get('bearer'), 'space', c.req.param('space'));
    return c.json(spaces.space(c.req.param('space')));
  });
  app.get('/spaces/:space/content', (c) => {
    checkPlacement(registry, c.get('bearer'), 'space', c.req.param('space'));
    return c.json(spaces.content(c.req.param('space')));
  });
  app.get('/orgs/:organization/sites/:site', (c) => {
    const { organization, site } = c.req.param();
    checkPlacement(registry, c.get('bearer'), 'site', site);
    return c.json(spaces.site(organization, site));
  });
};
