import type { MiddlewareHandler } from 'hono';
import { invalid } from '../../http/http-error.js';
import { paginate } from './paging.js';
import { isObject, readJson } from '../../http/read-json.js';
import { checkOrganization, checkPlacement } from './check-access.js';
import type { ManagementEnv, ManagementRoutes } from './management-routes.js';

export const addOrganizationRoutes: ManagementRoutes = (app, { registry, spaces }) => {
  const within: MiddlewareHandler<ManagementEnv, '/orgs/:organization'> = async (c, next) => {
    checkOrganization(registry, c.get('bearer'), c.req.param('organization'));
    await next();
  };
  app.get('/orgs/:organization', within, (c) => c.json(spaces.organization(c.req.param('organization'))));
  for (const kind of ['spaces', 'sites'] as const) {
    app.get(`/orgs/:organization/${kind}`, within, (c) => {
      const { organization } = c.req.param();
      const own = registry.workspace[kind].filter((one) => one.organization === organization);
      const resources = own.map(({ id }) =>
        kind === 'spaces' ? spaces.space(id) : spaces.site(organization, id),
      );
      return c.json(paginate(resources, (name) => c.req.query(name)));
    });
  }
  // Nothing is indexed here: a search finds nothing, and a question has no answer.
  app.get('/orgs/:organization/:list{search|openapi}', within, (c) =>
    c.json(paginate([], (name) => c.req.query(name))),
  );
  app.post('/orgs/:organization/ask', within, (c) => c.json({}));
  app.get('/orgs/:organization/ask/stream', within, () => {
    const headers = { 'content-type': 'text/event-stream' };
    return new Response('event: done\ndata: {}\n\n', { headers });
  });
  app.post('/orgs/:organization/conversations', within, (c) => c.json({}, 202));
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
