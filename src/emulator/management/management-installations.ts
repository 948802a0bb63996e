import { isoTime } from '../../base/clock.js';
import { notFound } from '../http/http-error.js';
import { readJson } from '../http/read-json.js';
import { callOf, checkInstallation } from './check-access.js';
import { readPatch, type ManagementRoutes } from './management-routes.js';
import { installationResource } from './resources.js';

export const addInstallationRoutes: ManagementRoutes = (app, deps) => {
  const { registry, addresses, configure, tokens } = deps;
  const path = '/integrations/:name/installations/:installation';
  const respond = (id: string): Response => {
    const installation = registry.installations.get(id);
    if (!installation) throw notFound(`Unknown installation: ${id}.`);
    return Response.json(installationResource(registry, addresses, installation));
  };
  app.use(`${path}/*`, async (c, next) => {
    checkInstallation(registry, c.get('bearer'), c.req.param('installation') ?? '');
    await next();
  });
  app.get(path, (c) => respond(c.req.param('installation')));
  app.patch(path, async (c) => {
    const installation = c.req.param('installation');
    configure.patch({ installation }, readPatch(await readJson(c.req.raw)), callOf(c.req.raw));
    return respond(installation);
  });
  app.post(`${path}/tokens`, (c) => {
    const { token, expiresAt } = tokens.issue(c.req.param('installation'));
    return c.json({ token, expiresAt: isoTime(expiresAt) }, 201);
  });
};
