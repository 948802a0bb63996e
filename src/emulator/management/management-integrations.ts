import type { Task } from '../../protocol/events.js';
import { invalid } from '../http/http-error.js';
import { callOf } from './check-access.js';
import { paginate } from './paging.js';
import { isObject, readJson } from '../http/read-json.js';
import { hasExternalId, reaches, type ManagementRoutes } from './management-routes.js';
import { installationResource, integrationResource } from './resources.js';

export const addIntegrationRoutes: ManagementRoutes = (app, { registry, addresses, tasks }) => {
  app.get('/integrations/:name', (c) => c.json(integrationResource(registry, addresses)));
  app.get('/integrations/:name/installations', (c) => {
    const found = registry.installations
      .all()
      .filter(({ id }) => reaches(c.get('bearer'), id))
      .filter(({ externalIds }) => hasExternalId(c, externalIds));
    const resources = found.map((one) => installationResource(registry, addresses, one));
    return c.json(paginate(resources, (name) => c.req.query(name)));
  });
  app.post('/integrations/:name/tasks', async (c) => {
    const { task, schedule = 0 } = await readJson(c.req.raw);
    if (!isObject(task) || typeof task.type !== 'string')
      throw invalid('task must be an object with a type.');
    if (typeof schedule !== 'number' || !(schedule >= 0 && schedule <= 86_400)) {
      throw invalid('schedule must be a number of seconds from 0 to 86400.');
    }
    const bearer = c.get('bearer');
    const target = bearer.kind === 'installation' ? { installation: bearer.installation } : {};
    const { id } = tasks.queue(task as Task, schedule * 1000, target, callOf(c.req.raw));
    return c.json({ id }, 201);
  });
};
