import { expect, test } from 'vitest';
import { belowEndpoint } from '../../../src/base/text/below-endpoint.js';

const origin = 'http://localhost:4730/v1/integrations/blank';

test.each([
  [origin, '/'],
  [`${origin}/`, '/'],
  [`${origin}/oauth?code=1`, '/oauth?code=1'],
  [`${origin}?code=1`, '?code=1'],
  [`${origin}/installations/inst_1/hook`, '/hook'],
  [`${origin}/installations/inst_1/spaces/space_1`, '/'],
  [`${origin}/installations/inst_1/sites/site_1/a/b`, '/a/b'],
  ['http://localhost:4730/v1/content/integrations/blank/x', '/v1/content/integrations/blank/x'],
  ['http://localhost:4730/content/integrations/blank/x', '/x'],
  ['https://example.com/elsewhere?x=1', '/elsewhere?x=1'],
  ['not an address', 'not an address'],
])('shortens the URL %s to %s', (url, shown) => expect(belowEndpoint(url)).toBe(shown));
