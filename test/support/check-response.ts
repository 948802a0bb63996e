import { Ajv2020 } from 'ajv/dist/2020.js';
import { consoleApi, type RouteName } from '../../src/contract/console-api.js';
import { ErrorBody } from '../../src/contract/resources.js';
import type { Route } from '../../src/contract/route.js';

interface JsonSchema {
  [keyword: string]: unknown;
}

/** The schema without room for properties that it does not name, so that no output is undocumented. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { additionalProperties, ...keywords } = schema as JsonSchema;
  if (additionalProperties === true) return schema;
  const isObject = keywords['type'] === 'object' && 'properties' in keywords;
  return {
    ...Object.fromEntries(Object.entries(keywords).map(([keyword, value]) => [keyword, closed(value)])),
    ...(isObject && { additionalProperties: false }),
  };
}

const ajv = new Ajv2020({ strict: true, allErrors: true });
const isError = ajv.compile(ErrorBody);
const checks = new Map<string, ReturnType<Ajv2020['compile']>>();

const routes = Object.entries<Route>(consoleApi).map(([name, route]) => {
  const [method = '', path = ''] = name.split(' ');
  const pattern = new RegExp(`^${path.replaceAll(/[{]\w+[}]/g, '[^/]+')}$`);
  return { name, method, pattern, parts: path.split('{').length, ...route };
});
// A fixed path such as /events/sample is preferred to a part.
routes.sort((one, other) => one.parts - other.parts);

/** The route that serves a path. */
function routeOf(method: string, path: string): (Route & { name: RouteName }) | undefined {
  const [pathname = ''] = path.split('?');
  const found = routes.find((route) => route.method === method && route.pattern.test(pathname));
  return found && { ...found, name: found.name as RouteName };
}

/** Throws if a response of the console's API is not what its route declares. */
export function checkResponse(
  request: { method: string; path: string },
  status: number,
  body: unknown,
): void {
  const route = routeOf(request.method, request.path);
  if (!route || status === 401) return;
  const fail = (problem: unknown): never => {
    throw new Error(
      `${route.name} declares something else than this response with status ${status}: ${JSON.stringify(problem)}\n${JSON.stringify(body)?.slice(0, 2000)}`,
    );
  };
  if (status >= 400) {
    const { code } = body as { code?: string };
    if (!isError(body)) fail(isError.errors);
    if (code !== 'invalid' && !route.errors.includes(code ?? '')) fail(`the code ${code}`);
    return;
  }
  const { type, contentMediaType } = route.output as JsonSchema;
  if (contentMediaType !== undefined) return;
  if (type === 'void') {
    if (status !== 204) fail('a body');
    return;
  }
  const check = checks.get(route.name) ?? ajv.compile(closed(route.output) as JsonSchema);
  checks.set(route.name, check);
  if (!check(body)) fail(check.errors);
}
