import { expect, it } from 'vitest';
import { formatRoute, parseRoute, type Route } from '../../../src/console/shell/route.js';

it.each<[string, Route]>([
  ['/console/', { view: 'overview' }],
  ['/console/configuration', { view: 'configuration' }],
  ['/console/installations/i1', { view: 'configuration', installation: 'i1' }],
  ['/console/installations/i1/sites/s%2F1', { view: 'configuration', installation: 'i1', site: 's/1' }],
  ['/console/spaces/p1', { view: 'configuration', space: 'p1' }],
  ['/console/spaces/p1/guides/a%20b', { view: 'pages', space: 'p1', path: 'guides/a b' }],
  ['/console/pages/p1/page_1', { view: 'pages', space: 'p1', page: 'page_1' }],
  ['/console/sites/s1', { view: 'configuration', site: 's1' }],
  ['/console/installations/i1/spaces/p1', { view: 'configuration', installation: 'i1', space: 'p1' }],
  ['/console/blocks/b1', { view: 'blocks', block: 'b1' }],
  ['/console/calls', { view: 'calls' }],
  ['/console/calls/call_1', { view: 'calls', call: 'call_1' }],
  ['/console/calls/call_1/logs', { view: 'calls', call: 'call_1', tab: 'logs' }],
  [
    '/console/calls/call_1/logs?failed=true',
    { view: 'calls', call: 'call_1', tab: 'logs', filter: { failed: 'true' } },
  ],
  ['/console/calls?search=%22a%22&status=5xx', { view: 'calls', filter: { search: '"a"', status: '5xx' } }],
  ['/console/calls/call_1?failed=true', { view: 'calls', call: 'call_1', filter: { failed: 'true' } }],
  ['/console/webhooks', { view: 'webhooks' }],
  ['/console/webhooks/endpoints/e1', { view: 'webhooks', endpoint: 'e1' }],
  ['/console/webhooks/deliveries/d1', { view: 'webhooks', delivery: 'd1' }],
  ['/console/tasks', { view: 'tasks' }],
  ['/console/listing', { view: 'listing' }],
])('parses and creates the console path %s', (path, route) => {
  expect(parseRoute(path)).toEqual(route);
  expect(formatRoute(route)).toBe(path);
});

it.each([
  ['/console/spaces/p1/~/revisions/r1/guides/start', 'guides/start'],
  ['/console/spaces/p1/~/revisions/r1/', ''],
  ['/console/spaces/p1/~/changes/2/', ''],
])('%s opens the current version of the page', (address, path) => {
  expect(parseRoute(address)).toEqual({ view: 'pages', space: 'p1', path });
});

it('ignores an unknown tab in the path', () => {
  expect(parseRoute('/console/calls/call_1/nothing')).toEqual({ view: 'calls', call: 'call_1' });
});

it('ignores unknown and empty filters in the URL', () => {
  expect(parseRoute('/console/calls?colour=red&status=&constructor=1')).toEqual({ view: 'calls' });
});

it.each(['/', '/console', '/console/nothing/here', '/console/%E0%A4%A'])(
  'opens the overview at %s',
  (path) => {
    expect(parseRoute(path)).toEqual({ view: 'overview' });
  },
);
