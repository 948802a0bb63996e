import type { TSchema } from 'typebox';
import { consoleApi } from './console-api.js';
import { ErrorBody } from './basics/resources.js';
import { fieldsOf, type Route } from './basics/route.js';

/** Returns the OpenAPI document for the console's API, without a server URL. */
export function describeApi(): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const [name, route] of Object.entries<Route>(consoleApi)) {
    const [method = '', path = ''] = name.split(' ');
    (paths[path] ??= {})[method.toLowerCase()] = describeOperation(name, route);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Console API of the local platform',
      version: '1',
      description:
        "The API that the console and the command line use. Every request must contain the current session's key.",
    },
    security: [{ key: [] }],
    paths,
    components: {
      securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Platform-Token' } },
      schemas: { Error: ErrorBody },
    },
  };
}

function describeOperation(name: string, route: Route): object {
  const { summary, input, output, errors } = route;
  const { path, query, body } = fieldsOf(name, route);
  const required: readonly string[] = input.required ?? [];
  const parameters = [...path, ...query].map((field) => {
    const { description, ...schema } = input.properties[field] as { description?: string };
    return {
      name: field,
      in: path.includes(field) ? 'path' : 'query',
      ...(required.includes(field) && { required: true }),
      ...(description !== undefined && { description }),
      schema,
    };
  });
  const bodyRequired = required.filter((field) => body.includes(field));
  const bodySchema = {
    type: 'object',
    properties: Object.fromEntries(body.map((field) => [field, input.properties[field]])),
    ...(bodyRequired.length > 0 && { required: bodyRequired }),
  };
  return {
    operationId: operationId(name),
    summary,
    parameters,
    ...(body.length > 0 && {
      requestBody: {
        ...(bodyRequired.length > 0 && { required: true }),
        content: { 'application/json': { schema: bodySchema } },
      },
    }),
    responses: {
      ...describeOutput(output),
      401: { description: 'The key is missing or invalid.' },
      '4XX': {
        description: 'The platform rejected the request.',
        content: {
          'application/json': {
            schema: {
              allOf: [{ $ref: '#/components/schemas/Error' }],
              properties: { code: { enum: ['invalid', ...errors] } },
            },
          },
        },
      },
    },
  };
}

function describeOutput(output: TSchema): object {
  if ('type' in output && output.type === 'void') return { 204: { description: 'Done.' } };
  const { contentMediaType = 'application/json' } = output as { contentMediaType?: string };
  return { 200: { description: 'The result.', content: { [contentMediaType]: { schema: output } } } };
}

/** Derives an operation id: `POST /installations/{installation}/pause` becomes `postInstallationsInstallationPause`. */
const operationId = (name: string): string =>
  name
    .replace(/^[A-Z]+/, (method) => method.toLowerCase())
    .replaceAll(/[^A-Za-z0-9]+(\w?)/g, (_, letter: string) => letter.toUpperCase());
