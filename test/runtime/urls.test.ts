import { endpointsAt } from '../../src/emulator/state/script-environments.js';
import { expect, test } from 'vitest';
import { publicEndpoint, routePath, withQuery } from '../../src/runtime/index.js';
import { environment } from '../support/environment.js';
import { siteInstallation, spaceInstallation } from '../support/oauth-traveller.js';

const base = 'http://127.0.0.1:4000/v1/integrations/demo';
const account = environment();
const { installation: _, ...integration } = account;
const site = environment({ siteInstallation });
const space = environment({ spaceInstallation });
const slash = environment({ siteInstallation: { ...siteInstallation, urls: endpointsAt(`${base}/s//`) } });

test.each([
  ['the integration', integration, undefined, base],
  ['an installation', account, undefined, `${base}/installations/ins_1`],
  ['a site', site, undefined, `${base}/installations/ins_1/sites/site_1`],
  ['a space', space, undefined, `${base}/installations/ins_1/spaces/space_1`],
  ['an endpoint with trailing slashes', slash, undefined, `${base}/s`],
  ['a path', integration, '/oauth', `${base}/oauth`],
  ['a path without a slash', integration, 'oauth', `${base}/oauth`],
  ['a path with many slashes', slash, '//a/b', `${base}/s/a/b`],
  ['a path with a trailing slash', integration, '/a/', `${base}/a/`],
  ['the path /', integration, '/', base],
  ['a path with a query', integration, '/a?b=c#d', `${base}/a?b=c#d`],
  ['a path with .. that stays inside the endpoint', integration, '/a/../b', `${base}/b`],
  ['a path with spaces', integration, '/a b', `${base}/a%20b`],
  ['a path that is a URL', integration, 'https://evil.example/', `${base}/https://evil.example/`],
  ['a path that starts with a host', integration, '//evil.example/x', `${base}/evil.example/x`],
])('creates the URL for %s', (_name, where, path, url) => {
  expect(publicEndpoint(where, path)).toBe(url);
});

test("appends a query to the public endpoint's URL", () => {
  expect(publicEndpoint(integration, '/a?b=1', { c: 'x y', d: undefined, e: 0 })).toBe(
    `${base}/a?b=1&c=x%20y&e=0`,
  );
  expect(publicEndpoint(integration, '', { c: 1 })).toBe(`${base}?c=1`);
});

test.each(['..', '/../x', '/%2e%2e/x', 'a/../../x', '..\\x'])('rejects %s, outside the endpoint', (path) => {
  expect(() => publicEndpoint(account, path)).toThrow(TypeError);
});

const at = (url: string) => ({ url });
test.each([
  ['the endpoint', at(base), integration, '/'],
  ['the endpoint with a trailing slash', at(`${base}/`), integration, '/'],
  ['a path', at(`${base}/a/b?c=d`), integration, '/a/b'],
  ['an installation', at(`${base}/installations/ins_1/oauth`), account, '/oauth'],
  ['a site', at(`${base}/installations/ins_1/sites/site_1/oauth/`), site, '/oauth/'],
  ['the installation, in the context of a site', at(`${base}/installations/ins_1/x`), site, '/x'],
  ['the integration, in the context of an installation', at(`${base}/oauth`), account, '/oauth'],
  ['a longer name', at(`${base}x/y`), integration, '/v1/integrations/demox/y'],
  ['another origin', at('https://tunnel.example/v1/integrations/demo/z'), integration, '/z'],
  ['an encoded path, which stays encoded', at(`${base}/a%2Fb`), integration, '/a%2Fb'],
  ['an endpoint with trailing slashes', at(`${base}/s/q`), slash, '/q'],
])('returns the path for %s', (_name, request, where, path) => {
  expect(routePath(request, where)).toBe(path);
});

test.each([
  ['https://a.example/x', { q: 'a b' }, 'https://a.example/x?q=a%20b'],
  ['https://a.example/x?lang=en', { q: 1 }, 'https://a.example/x?lang=en&q=1'],
  ['https://a.example/x?q=old&z=1', { q: 'new' }, 'https://a.example/x?q=new&z=1'],
  ['https://a.example/x?q=%20#top', { p: true }, 'https://a.example/x?q=%20&p=true#top'],
  ['/x', { q: '&' }, '/x?q=%26'],
  ['?a=1', { b: 2 }, '?a=1&b=2'],
  ['/x?raw=%20#f?g', {}, '/x?raw=%20#f?g'],
  ['/x?flag&to=https://b.example/+#f', { a: undefined }, '/x?flag&to=https://b.example/+#f'],
  ['/x', { a: undefined, b: null }, '/x'],
  ['/x#f?g', { a: '' }, '/x?a=#f?g'],
])('extends %s with the query %o', (url, parameters, whole) => {
  expect(withQuery(url, parameters)).toBe(whole);
});
