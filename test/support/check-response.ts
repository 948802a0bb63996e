import { Ajv2020 } from 'ajv/dist/2020.js';
import { consoleApi, type RouteName } from '../../src/contract/console-api.js';
import { ErrorBody } from '../../src/contract/basics/resources.js';
import type { Route } from '../../src/contract/basics/route.js';

interface JsonSchema {
  [keyword: string]: unknown;
}

/** Closes the schema to properties that it does not declare, so that every output is documented. */
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
// A fixed path such as /events/sample takes precedence over a path parameter.
routes.sort((one, other) => one.parts - other.parts);

/** Returns the route that serves a path. */
function routeOf(method: string, path: string): (Route & { name: RouteName }) | undefined {
  const [pathname = ''] = path.split('?');
  const found = routes.find((route) => route.method === method && route.pattern.test(pathname));
  return found && { ...found, name: found.name as RouteName };
}

/** Throws if a response from the console API does not match what its route declares. */
export function checkResponse(
  request: { method: string; path: string },
  { status, headers }: Response,
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
  const { type, contentMediaType = 'application/json' } = route.output as JsonSchema;
  if (type === 'void') {
    if (status !== 204) fail('a body');
    return;
  }
  const contentType = headers.get('content-type') ?? 'none';
  if (status !== 200 || contentType.split(';')[0] !== contentMediaType) fail(`the type ${contentType}`);
  if (contentMediaType === 'application/json') checkValue(route.name, route.output, body, fail);
}

/** The schema of the events in the `GET /stream` stream. */
export const { contentSchema: liveEventSchema } = consoleApi['GET /stream'].output as unknown as {
  contentSchema: { anyOf: { properties: { type: { enum: string[] } } }[] };
};

/** Throws if an event in the live stream does not match what its route declares. */
export function checkLiveEvent(event: unknown): void {
  checkValue('live event', liveEventSchema, event, (problem) => {
    throw new Error(`This is no live event: ${JSON.stringify(event)}\n${JSON.stringify(problem)}`);
  });
}

function checkValue(name: string, schema: unknown, value: unknown, fail: (problem: unknown) => never): void {
  const check = checks.get(name) ?? ajv.compile(closed(schema) as JsonSchema);
  checks.set(name, check);
  if (!check(value)) fail(check.errors);
}
