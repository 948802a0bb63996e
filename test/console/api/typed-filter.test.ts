import { expect, it } from 'vitest';
import type { FilterTexts } from '../../../src/console/api/call-filter.js';
import { formatTypedFilter, parseTypedFilter } from '../../../src/console/api/typed-filter.js';

it.each<[string, FilterTexts]>([
  ['', {}],
  ['free text', { search: 'free text' }],
  [
    '-type:ui_render failed status:5xx component:ticket',
    { type: '-ui_render', failed: 'true', status: '5xx', component: 'ticket' },
  ],
  ['failed:false', { failed: 'false' }],
  ['path:"/a b" deep', { path: '/a b', search: 'deep' }],
  ['"failed"', { search: 'failed' }],
  ['"status:5xx"', { search: 'status:5xx' }],
  ['https://example.com/?a=1', { search: 'https://example.com/?a=1' }],
  ['colour:red', { search: 'colour:red' }],
])('parses and prints the filter "%s"', (text, filter) => {
  expect(parseTypedFilter(text)).toEqual(filter);
  expect(parseTypedFilter(formatTypedFilter(filter))).toEqual(filter);
});

it('formats each filter as a user would type it', () => {
  expect(formatTypedFilter({ status: '404', type: '-ui_render', failed: 'true', search: 'near me' })).toBe(
    '-type:ui_render failed status:404 "near me"',
  );
});
