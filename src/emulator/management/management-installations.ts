import type { Context } from 'hono';
import { isoTime } from '../../base/clock.js';
import type { Task } from '../../protocol/events.js';
import { invalid, notFound } from '../http/http-error.js';
import { isObject, readJson } from '../http/read-json.js';
import type { PlacementKind, PlacementRecord } from '../state/installation-records.js';
import { requireInstallation } from '../state/require-installation.js';
import { callOf, checkInstallation } from './check-access.js';
import {
  hasExternalId,
  reaches,
  readPatch,
  type ManagementEnv,
  type ManagementRoutes,
} from './management-routes.js';
import { paginate } from './paging.js';
import { installationResource, integrationResource, placementResource } from './resources.js';

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

export const addPlacementRoutes =
  (kind: PlacementKind): ManagementRoutes =>
  (app, deps) => {
    const { registry, addresses, configure, spaces } = deps;
    const whole = ({ installation, target }: PlacementRecord): object =>
      kind === 'space'
        ? spaces.space(target)
        : spaces.site(requireInstallation(registry, installation).organization, target);
    const list = (c: Context<ManagementEnv>, filter: (placement: PlacementRecord) => boolean): Response => {
      const found = registry.placements
        .all()
        .filter((placement) => placement.kind === kind && filter(placement))
        .filter(({ externalIds }) => hasExternalId(c, externalIds));
      const extended = c.req.query('extended') === 'true';
      const resources = found.map((one) => ({
        ...placementResource(registry, addresses, one),
        ...(extended && { [kind]: whole(one) }),
      }));
      return Response.json(paginate(resources, (name) => c.req.query(name)));
    };
    const respond = (installation: string, target: string): Response => {
      const placement = registry.placement(installation, kind, target);
      if (!placement) throw notFound(`The integration is not installed in the ${kind} ${target}.`);
      return Response.json(placementResource(registry, addresses, placement));
    };

    app.get(`/integrations/:name/${kind}s`, (c) =>
      list(c, ({ installation }) => reaches(c.get('bearer'), installation)),
    );
    const below = `/integrations/:name/installations/:installation/${kind}s`;
    app.get(below, (c) => list(c, ({ installation }) => installation === c.req.param('installation')));
    app.get(`${below}/:target`, (c) => respond(c.req.param('installation') ?? '', c.req.param('target')));
    app.patch(`${below}/:target`, async (c) => {
      const installation = c.req.param('installation') ?? '';
      const target = c.req.param('target');
      respond(installation, target);
      const patch = readPatch(await readJson(c.req.raw));
      configure.patch({ installation, [kind]: target }, patch, callOf(c.req.raw));
      return respond(installation, target);
    });
  };
