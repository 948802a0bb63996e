import type { Context } from 'hono';
import { notFound } from '../http/http-error.js';
import { requireInstallation } from '../state/require-installation.js';
import { paginate } from './paging.js';
import { readJson } from '../http/read-json.js';
import type { PlacementKind, PlacementRecord } from '../state/installation-records.js';
import { callOf } from './check-access.js';
import {
  hasExternalId,
  reaches,
  readPatch,
  type ManagementEnv,
  type ManagementRoutes,
} from './management-routes.js';
import { placementResource } from './resources.js';

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
