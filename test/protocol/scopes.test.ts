import { expect, test } from 'vitest';
import { scopeOfEvent, scopeOfRoute } from '../../src/protocol/scopes.js';

test.each([
  ['space_content_updated', 'space:content:read'],
  ['space_gitsync_started', 'space:git:sync'],
  ['space_gitsync_completed', 'space:git:sync'],
  ['site_view', 'site:views:read'],
  ['page_feedback', 'page:feedback:read'],
  ['fetch_visitor_authentication', 'site:visitor:auth'],
  ['space_view', undefined],
  ['installation_setup', undefined],
  ['toString', undefined],
])('receiving the event %s requires the scope %s', (type, scope) => {
  expect(scopeOfEvent(type)).toBe(scope);
});

test.each([
  ['GET', '/v1/spaces/s', 'space:metadata:read'],
  ['HEAD', '/v1/spaces/s/', 'space:metadata:read'],
  ['PATCH', '/v1/spaces/s', 'space:metadata:write'],
  ['GET', '/v1/spaces/s/content?depth=1', 'space:content:read'],
  ['GET', '/v1/spaces/s/content/page/p', 'space:content:read'],
  ['GET', '/v1/spaces/s/revisions/r', 'space:content:read'],
  ['POST', '/v1/spaces/s/content', 'space:content:write'],
  ['POST', '/v1/spaces/s/git/import', 'space:git:sync'],
  ['GET', '/v1/orgs/o/sites/s', 'site:metadata:read'],
  ['GET', '/v1/orgs/o/sites/s/adaptive-schema', 'site:adaptive:read'],
  ['PUT', '/v1/orgs/o/sites/s/adaptive-schema', 'site:adaptive:write'],
  ['GET', '/v1/orgs/o/openapi/x', 'openapi:read'],
  ['PUT', '/v1/orgs/o/openapi/x', 'openapi:write'],
  ['POST', '/v1/orgs/o/conversations', 'conversations:ingest'],
  ['GET', '/v1/integrations/n/installations/i', undefined],
  ['GET', '/v1/spaces/s/contents', undefined],
  ['GET', '/v1/spaces', undefined],
  ['GET', '/v2/spaces/s', undefined],
])('the API request %s %s requires the scope %s', (method, path, scope) => {
  expect(scopeOfRoute(method, path)).toBe(scope);
});
