import type { Environment } from '../../protocol/environment.js';

type Surroundings = Pick<
  Environment<object, object, object>,
  'integration' | 'installation' | 'siteInstallation' | 'spaceInstallation'
>;
type QueryValue = string | number | boolean | null | undefined;

/** Sorted from the most specific endpoint to the integration's own endpoint. Each ends with a slash. */
const endpointsOf = ({
  siteInstallation,
  spaceInstallation,
  installation,
  integration,
}: Surroundings): URL[] =>
  [siteInstallation, spaceInstallation, installation, integration].flatMap((part) =>
    part ? new URL(part.urls.publicEndpoint.replace(/[/]*$/, '/')) : [],
  );

/**
 * Returns the public URL of a path for the current call's site, space or installation.
 *
 * @example
 * ```ts
 * import { publicEndpoint, type RuntimeContext } from 'integration-platform';
 *
 * const callbackOf = ({ environment }: RuntimeContext): string =>
 *   publicEndpoint(environment, '/oauth', { from: 'configuration' });
 * ```
 */
export const publicEndpoint = (
  environment: Surroundings,
  path = '',
  query?: Record<string, QueryValue>,
): string => {
  const base = endpointsOf(environment)[0]?.href ?? '';
  const { href } = new URL(base + path.replace(/^[/]+/, ''));
  if (!href.startsWith(base)) throw new TypeError(`The path "${path}" is outside ${base}`);
  return withQuery(href === base ? href.slice(0, -1) : href, query);
};

/**
 * Returns a request's path relative to the public endpoint that received it, or `/` for the endpoint itself.
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
export const routePath = (request: Pick<Request, 'url'>, environment: Surroundings): string => {
  const { pathname } = new URL(request.url);
  const base = endpointsOf(environment).find((endpoint) => `${pathname}/`.startsWith(endpoint.pathname));
  return base ? pathname.slice(base.pathname.length - 1) || '/' : pathname;
};

/**
 * Sets a URL's query parameters. Skips `null` and `undefined`.
 *
 * @example
 * ```ts
 * import { withQuery } from 'integration-platform';
 *
 * withQuery('https://api.example.com/search?lang=en', { q: 'a b', page: 2 });
 * // https://api.example.com/search?lang=en&q=a%20b&page=2
 * ```
 */
export const withQuery = (url: string, parameters: Record<string, QueryValue> = {}): string =>
  url.replace(/([?][^#]*)?(?=#|$)/, (search) => {
    const query = new URLSearchParams(search);
    let result = search;
    for (const [key, value] of Object.entries(parameters)) {
      if (value === undefined || value === null) continue;
      query.set(key, String(value));
      // Not every server decodes a plus sign as a space.
      result = `?${query}`.replaceAll('+', '%20');
    }
    return result;
  });
