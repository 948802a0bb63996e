import type { ConsoleRoute } from './console-route.js';

/** The one description of the console's API, made from the routes themselves. */
export function describeApi(routes: ConsoleRoute[], origin: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    (paths[route.path] ??= {})[route.method.toLowerCase()] = describeOperation(route);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Console API of the local platform',
      version: '1',
      description:
        'For the console and the command. Every request carries the key of this start of the platform.',
    },
    servers: [{ url: `${origin}/console/api` }],
    security: [{ key: [] }],
    paths,
    components: {
      securitySchemes: {
        key: { type: 'apiKey', in: 'header', name: 'X-Platform-Token' },
      },
      schemas: {
        Error: {
          type: 'object',
          required: ['error', 'code'],
          properties: {
            error: { type: 'string', description: 'What is wrong, for people.' },
            code: { type: 'string', description: 'What is wrong, for programs.' },
            path: { type: 'string', description: 'The field that is wrong.' },
            known: { type: 'array', items: { type: 'string' }, description: 'What could have been meant.' },
          },
        },
      },
    },
  };
}

function describeOperation({ method, path, summary, parameters = {}, body, answer }: ConsoleRoute): object {
  const parts = [...path.matchAll(/[{](\w+)[}]/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const queries = Object.entries(parameters).map(([name, description]) => ({
    name,
    in: 'query',
    description,
    schema: { type: 'string' },
  }));
  return {
    operationId: operationId(method, path),
    summary,
    parameters: [...parts, ...queries],
    ...(body && { requestBody: { content: { 'application/json': { schema: body } } } }),
    responses: {
      '2XX': { description: answer },
      '4XX': {
        description: 'It was refused.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  };
}

/** `POST /installations/{installation}/pause`: `postInstallationsInstallationPause`. */
const operationId = (method: string, path: string): string =>
  method.toLowerCase() + path.replaceAll(/[^A-Za-z0-9]+(\w?)/g, (_, letter: string) => letter.toUpperCase());
