import type { Environment } from '../protocol/environment.js';

type Place = Pick<
  Environment<object, object, object>,
  'integration' | 'installation' | 'siteInstallation' | 'spaceInstallation'
>;
type QueryValue = string | number | boolean | null | undefined;

/** From the most specific one in play to the integration's own. */
const endpointsOf = ({ siteInstallation, spaceInstallation, installation, integration }: Place): string[] =>
  [siteInstallation, spaceInstallation, installation, integration].flatMap(
    (place) => place?.urls.publicEndpoint ?? [],
  );

/**
 * The public address of the most specific installation in play, and of a path below it.
 *
 * @example
 * ```ts
 * import { publicEndpoint, type RuntimeContext } from 'integration-platform';
 *
 * const callbackOf = ({ environment }: RuntimeContext): string =>
 *   publicEndpoint(environment, '/oauth', { from: 'configuration' });
 * ```
 */
export function publicEndpoint(
  environment: Place,
  path = '',
  query: Record<string, QueryValue> = {},
): string {
  const endpoint = new URL(endpointsOf(environment)[0] ?? '');
  const base = endpoint.pathname.replace(/[/]+$/, '');
  const below = path.replace(/^[/]+/, '');
  const url = new URL(below ? `${base}/${below}` : base || '/', endpoint);
  if (url.pathname !== (base || '/') && !url.pathname.startsWith(`${base}/`)) {
    throw new TypeError(`The path "${path}" leads out of ${endpoint.href}.`);
  }
  return withQuery(url.href, query);
}

/**
 * The path of a request below the public endpoint that it came in by; `/` for the endpoint itself.
 *
 * @example
 * ```ts
 * import { createIntegration, routePath } from 'integration-platform';
 *
 * export default createIntegration({
 *   fetch: async (request, { environment }) => {
 *     if (routePath(request, environment) === '/status') return Response.json({ ok: true });
 *     return new Response('Not found', { status: 404 });
 *   },
 * });
 * ```
 */
export function routePath(request: Pick<Request, 'url'>, environment: Place): string {
  const { pathname } = new URL(request.url);
  const bases = endpointsOf(environment)
    .map((endpoint) => new URL(endpoint).pathname.replace(/[/]+$/, ''))
    .sort((a, b) => b.length - a.length);
  const base = bases.find((one) => pathname === one || pathname.startsWith(`${one}/`)) ?? '';
  return pathname.slice(base.length) || '/';
}

/**
 * The address with these parameters set in its query. `null` and `undefined` are left out.
 *
 * @example
 * ```ts
 * import { withQuery } from 'integration-platform';
 *
 * withQuery('https://api.example.com/search?lang=en', { q: 'a b', page: 2 });
 * // https://api.example.com/search?lang=en&q=a+b&page=2
 * ```
 */
export function withQuery(url: string, parameters: Record<string, QueryValue>): string {
  const [address = '', ...fragment] = url.split('#');
  const [path = '', ...search] = address.split('?');
  const query = new URLSearchParams(search.join('?'));
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== null);
  if (given.length === 0) return url;
  for (const [key, value] of given) query.set(key, String(value));
  return [`${path}?${query.toString()}`, ...fragment].join('#');
}
