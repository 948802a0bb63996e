import { expect, it } from 'vitest';
import { viewPath } from '../../../../src/cli/commands/open/open-session.js';
import { formatRoute, parseRoute, type Route } from '../../../../src/console/shell/route.js';
import { consoleViews } from '../../../../src/protocol/console-views.js';

it.each(consoleViews)('creates a link to the console view %s', (view) => {
  expect(`/console/${viewPath(view)}`).toBe(formatRoute({ view }));
});

it.each<[string, Route]>([
  ['calls/call_1', { view: 'calls', call: 'call_1' }],
  ['/webhooks/endpoints/e 1/', { view: 'webhooks', endpoint: 'e 1' }],
  ['installations/i1/sites/s1', { view: 'configuration', installation: 'i1', site: 's1' }],
])('creates a link to the console item %s', (view, route) => {
  expect(parseRoute(`/console/${viewPath(view)}`)).toEqual(route);
});

it.each([
  ['cals', 'Did you mean calls?'],
  ['webhook/x', 'Did you mean webhooks?'],
  ['nothing', 'Available views: overview, configuration, pages, blocks, calls, webhooks, tasks, listing.'],
  ['..', 'Available views: overview, configuration, pages, blocks, calls, webhooks, tasks, listing.'],
])('rejects the unknown console view %s', (view, hint) => {
  expect(() => viewPath(view)).toThrow(expect.objectContaining({ code: 'unknown-view', hint }));
});
