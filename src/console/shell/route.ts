import { decodePath } from '../../base/text/decode-path.js';
import { formatFilter, isFiltered, parseFilter, type FilterTexts } from '../api/call-filter.js';

/** A call's tabs after the summary. */
const callTabs = ['request', 'response', 'logs', 'outbound'] as const;
export type CallTab = (typeof callTabs)[number];

export type Route =
  | { view: 'overview' | 'tasks' | 'listing' }
  | { view: 'configuration'; installation?: string; site?: string; space?: string }
  /** `path` is the path of a page in the space, for links that do not contain the page's id. */
  | { view: 'pages'; space?: string; page?: string; path?: string }
  | { view: 'blocks'; block?: string }
  | { view: 'calls'; call?: string; tab?: CallTab; filter?: FilterTexts }
  | { view: 'webhooks'; endpoint?: string; delivery?: string; failed?: true };

const root = '/console/';

/** Returns the view for a URL, or the overview for an unknown URL. */
export function parseRoute(address: string): Route {
  const [path = '', query = ''] = address.split('?');
  const [first, ...rest] = path
    .replace(/^[/]console[/]?/, '')
    .split('/')
    .filter(Boolean)
    .map(decodePath);
  const [second, third, fourth] = rest;
  switch (first) {
    case 'configuration':
      return { view: 'configuration' };
    case 'installations': {
      const part = fourth === undefined ? {} : third === 'sites' ? { site: fourth } : { space: fourth };
      return { view: 'configuration', ...(second !== undefined && { installation: second }), ...part };
    }
    // The URL is the `urls.app` value of a space, a page, a revision or a site.
    case 'spaces':
      if (second !== undefined && third !== undefined)
        return { view: 'pages', space: second, path: pathOfPage(rest.slice(1)) };
      return { view: 'configuration', ...(second !== undefined && { space: second }) };
    case 'sites':
      return { view: 'configuration', ...(second !== undefined && { site: second }) };
    case 'pages':
      return {
        view: 'pages',
        ...(second !== undefined && { space: second }),
        ...(third !== undefined && { page: third }),
      };
    case 'blocks':
      return { view: 'blocks', ...(second !== undefined && { block: second }) };
    case 'calls':
      return { view: 'calls', ...parseCalls(second, third, query) };
    case 'webhooks':
      return { view: 'webhooks', ...parseWebhooks(second, third, query) };
    case 'tasks':
    case 'listing':
      return { view: first };
    default:
      return { view: 'overview' };
  }
}

/** Revisions and change requests show the current pages. */
const pathOfPage = (parts: readonly string[]): string =>
  (parts[0] === '~' ? parts.slice(3) : parts).join('/');

export function formatRoute(route: Route): string {
  const join = (...parts: (string | undefined)[]): string =>
    root +
    parts
      .filter((part) => part !== undefined)
      .map(encodeURIComponent)
      .join('/');
  switch (route.view) {
    case 'overview':
      return root;
    case 'tasks':
    case 'listing':
      return join(route.view);
    case 'configuration': {
      const { installation, site, space } = route;
      const kind = site === undefined ? (space === undefined ? undefined : 'spaces') : 'sites';
      if (installation === undefined) return join(kind ?? 'configuration', site ?? space);
      return join('installations', installation, kind, site ?? space);
    }
    case 'pages':
      return route.path
        ? join('spaces', route.space, ...route.path.split('/'))
        : join('pages', route.space, route.page);
    case 'blocks':
      return join('blocks', route.block);
    case 'calls':
      return (
        join('calls', route.call, route.call === undefined ? undefined : route.tab) +
        (route.filter ? `?${formatFilter(route.filter)}` : '')
      );
    case 'webhooks':
      if (route.delivery !== undefined) return join('webhooks', 'deliveries', route.delivery);
      if (route.endpoint !== undefined) return join('webhooks', 'endpoints', route.endpoint);
      return join('webhooks') + (route.failed ? '?failed' : '');
  }
}

function parseCalls(
  call: string | undefined,
  wantedTab: string | undefined,
  query: string,
): Omit<Extract<Route, { view: 'calls' }>, 'view'> {
  const filter = parseFilter(query);
  const tab = callTabs.find((one) => one === wantedTab);
  return { ...(call !== undefined && { call }), ...(tab && { tab }), ...(isFiltered(filter) && { filter }) };
}

function parseWebhooks(
  kind: string | undefined,
  id: string | undefined,
  query: string,
): Omit<Extract<Route, { view: 'webhooks' }>, 'view'> {
  if (id === undefined) return new URLSearchParams(query).has('failed') ? { failed: true } : {};
  return kind === 'deliveries' ? { delivery: id } : { endpoint: id };
}
