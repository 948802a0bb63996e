import { createRouter } from '../http/router.js';
import { apiErrorResponse, isHttpError, notFound } from '../http/http-error.js';
import { authenticate, callOf, checkScope } from './check-access.js';
import { addContentRoutes } from './management-content.js';
import {
  addInstallationRoutes,
  addIntegrationRoutes,
  addPlacementRoutes,
} from './management-installations.js';
import type { ManagementDeps, ManagementEnv } from './management-routes.js';
import { addOrganizationRoutes } from './management-organizations.js';

/** The API that scripts call with their token: `/api/v1/…`. */
export function createManagementApi(
  deps: ManagementDeps,
): (request: Request) => Response | Promise<Response> {
  const app = createRouter<ManagementEnv>().basePath('/api/v1');
  app.use('*', async (c, next) => {
    c.set('bearer', authenticate(deps.tokens, c.req.raw));
    checkScope(deps, c.req.raw);
    await next();
  });
  app.use('/integrations/:name/*', async (c, next) => {
    const { name } = c.req.param();
    if (name !== deps.registry.integration().name) throw notFound(`Unknown integration: ${name}.`);
    await next();
  });
  addIntegrationRoutes(app, deps);
  addInstallationRoutes(app, deps);
  addPlacementRoutes('space')(app, deps);
  addPlacementRoutes('site')(app, deps);
  addContentRoutes(app, deps);
  addOrganizationRoutes(app, deps);

  app.notFound(({ req: { method, path, raw } }) => {
    const message = `${method} ${path.replace(/^[/]api/, '')} does not exist on the local platform. "platform docs fidelity" lists what does.`;
    const call = callOf(raw);
    if (call) deps.recorder.noticed(call, { code: 'not-emulated', severity: 'warning', message });
    return apiErrorResponse(501, message);
  });
  app.onError((error) => {
    if (!isHttpError(error)) throw error;
    const { status, message, code } = error;
    // The reasons in this API use underscores.
    return apiErrorResponse(status, message, code === 'missing-scope' ? 'missing_scope' : undefined);
  });
  return (request) => app.fetch(request);
}
