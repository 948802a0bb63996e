import type { EventType } from './events.js';

export const scopes = [
  'space:content:read',
  'space:content:write',
  'space:metadata:read',
  'space:metadata:write',
  'space:git:sync',
  'site:metadata:read',
  'site:views:read',
  'page:feedback:read',
  'site:script:inject',
  'site:script:cookies',
  'site:visitor:auth',
  'site:visitor:claims',
  'site:adaptive:read',
  'site:adaptive:write',
  'openapi:read',
  'openapi:write',
  'conversations:ingest',
] as const;

/** A scope of the platform, such as `space:content:read`. */
export type Scope = (typeof scopes)[number];

/** Returns the scope that an event probably requires, based on its name. */
export const scopeOfEvent = (type: string): Scope | undefined =>
  Object.hasOwn(eventScopes, type) ? eventScopes[type as EventType] : undefined;

/** Returns a warning that explains why an event may not reach the script in production. */
export const missingScopeWarning = (event: string, scope: string): string =>
  `The ${event} event needs the ${scope} scope, which the manifest does not request.`;

const eventScopes: Partial<Record<EventType, Scope>> = {
  space_content_updated: 'space:content:read',
  space_gitsync_started: 'space:git:sync',
  space_gitsync_completed: 'space:git:sync',
  site_view: 'site:views:read',
  page_feedback: 'page:feedback:read',
  fetch_visitor_authentication: 'site:visitor:auth',
};

/** Returns the scope that an API request probably requires. The path starts with `/v1/`. */
export function scopeOfRoute(method: string, path: string): Scope | undefined {
  const verb = method === 'GET' || method === 'HEAD' ? 'read' : 'write';
  const route = routeScopes.find(({ pattern }) => pattern.test(path.split('?')[0] ?? ''));
  return route?.[verb];
}

const routeScopes: { pattern: RegExp; read: Scope; write: Scope }[] = [
  { pattern: /^[/]v1[/]spaces[/][^/]+[/]?$/, read: 'space:metadata:read', write: 'space:metadata:write' },
  {
    pattern: /^[/]v1[/]spaces[/][^/]+[/](content|revisions|documents|change-requests)([/]|$)/,
    read: 'space:content:read',
    write: 'space:content:write',
  },
  { pattern: /^[/]v1[/]spaces[/][^/]+[/]git([/]|$)/, read: 'space:git:sync', write: 'space:git:sync' },
  {
    pattern: /^[/]v1[/]orgs[/][^/]+[/]sites[/][^/]+[/]adaptive-schema([/]|$)/,
    read: 'site:adaptive:read',
    write: 'site:adaptive:write',
  },
  {
    // No scope exists for changing a site.
    pattern: /^[/]v1[/]orgs[/][^/]+[/]sites[/][^/]+[/]?$/,
    read: 'site:metadata:read',
    write: 'site:metadata:read',
  },
  { pattern: /^[/]v1[/]orgs[/][^/]+[/]openapi([/]|$)/, read: 'openapi:read', write: 'openapi:write' },
  {
    pattern: /^[/]v1[/]orgs[/][^/]+[/]conversations([/]|$)/,
    read: 'conversations:ingest',
    write: 'conversations:ingest',
  },
];
